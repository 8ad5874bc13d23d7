// The hands of a log in columns, read once, and which of them pass a filter: the twin of
// dealer.logs.reading.hand_filter.  A hand that breaks the rules passes, so that the page can show
// it.

import { chipsOf, parseRecord } from "./hand.js";
import { Betting, HandError, playBetting, positionNames } from "./rules.js";

const STRANGE = 1; // chips or names that do not fit the game: only the filter by number is asked
const ILLEGAL = 2; // betting against the rules: passes those that are about bets
const NO_NAME = 0xffffffff;

/** A typed array that grows. */
class Column {
  constructor(Type, width = 1) {
    this.width = width;
    this.data = new Type(1024 * width);
  }

  room(rows) {
    if (rows * this.width <= this.data.length) return this.data;
    const larger = new this.data.constructor(2 * rows * this.width);
    larger.set(this.data);
    return (this.data = larger);
  }
}

export class HandTable {
  constructor(game) {
    const { players } = game;
    this.game = game;
    this.length = 0;
    this.lines = [];
    this.players = []; // names in order of appearance
    this.places = []; // names of positions
    this.columns = {
      hand: new Column(Float64Array),
      flags: new Column(Uint8Array),
      street: new Column(Uint8Array),
      shown: new Column(Uint8Array),
      pot: new Column(Float64Array), // chips that were called
      bigBlind: new Column(Float64Array), // chips
      name: new Column(Uint32Array, players), // index in `players`, by position
      place: new Column(Uint8Array, players), // index in `places`
      value: new Column(Float64Array, players), // chips won
      total: new Column(Float64Array, players), // by this player up to this hand
      raisesEnd: new Column(Uint32Array), // where this hand's raises end in the columns below
      raiser: new Column(Uint8Array),
      share: new Column(Float64Array), // of the pot after calling
      chip: new Column(Float64Array), // one chip as such a share
    };
    this.raises = 0;
    this.numbers = new Map();
    this.placeNumbers = new Map();
    this.placesByBlinds = new Map();
    this.totals = [];
  }

  /** Read lines of the log; those that are no hands are left out.  Return how many hands came. */
  add(lines) {
    const before = this.length;
    for (const line of lines) {
      if (!line.startsWith("STATE:")) continue;
      try {
        this.addHand(line, parseRecord(line));
      } catch (error) {
        if (!(error instanceof HandError)) throw error;
      }
    }
    return this.length - before;
  }

  get(column, row, position = 0) {
    const { data, width } = this.columns[column];
    return data[row * width + position];
  }

  set(column, row, value, position = 0) {
    const { width } = this.columns[column];
    this.columns[column].room(row + 1)[row * width + position] = value;
  }

  /** Return the position of a player in a hand, -1 where it did not play. */
  positionOf(row, player) {
    const { data, width } = this.columns.name;
    for (let position = 0; position < width; position++) {
      if (data[row * width + position] === player) return position;
    }
    return -1;
  }

  addHand(line, record) {
    const row = this.length++;
    const { players } = this.game;
    this.lines.push(line);
    this.set("hand", row, record.hand);
    this.set("street", row, count(record.betting, "/"));
    this.set("shown", row, count(record.betting, "f") < players - 1 ? 1 : 0);
    this.set("raisesEnd", row, this.raises);
    for (const column of ["flags", "pot", "total", "place"]) this.columns[column].room(row + 1);
    try {
      if (record.names.length !== players) throw new HandError("another number of players");
      this.addChips(row, record, ...chipsOf(this.game, record));
    } catch (error) {
      if (!(error instanceof HandError)) throw error;
      this.set("flags", row, STRANGE);
      for (let at = 0; at < players; at++) this.set("name", row, NO_NAME, at);
    }
  }

  addChips(row, record, stacks, blinds) {
    const { players } = this.game;
    const places = this.placesOf(blinds);
    this.set("bigBlind", row, Math.max(...blinds) || 1);
    for (let position = 0; position < players; position++) {
      const player = numberOf(record.names[position], this.numbers, this.players);
      this.totals[player] = (this.totals[player] ?? 0) + record.values[position];
      this.set("name", row, player, position);
      this.set("place", row, places[position], position);
      this.set("value", row, record.values[position], position);
    }
    for (let position = 0; position < players; position++) {
      this.set("total", row, this.totals[this.get("name", row, position)], position);
    }
    const betting = new Betting(this.game, stacks, blinds);
    try {
      playBetting(betting, record.betting, (before, kind, to) => {
        if (kind === "r") this.noteRaise(before, to);
      });
    } catch (error) {
      if (!(error instanceof HandError)) throw error;
      this.set("flags", row, ILLEGAL);
    }
    this.set("pot", row, betting.called);
    this.set("raisesEnd", row, this.raises);
  }

  noteRaise(before, to) {
    const legal = before.raiseRange();
    if (legal === null) return;
    const raiseTo = this.game.betting === "nolimit" ? to : legal[0];
    if (raiseTo === legal[0] || raiseTo === legal[1]) return;
    const pot = before.pot + before.toCall;
    const row = this.raises++;
    this.set("raiser", row, before.actor);
    this.set("share", row, (raiseTo - before.toMatch) / pot);
    this.set("chip", row, 1 / pot);
  }

  placesOf(blinds) {
    const key = blinds.join();
    if (!this.placesByBlinds.has(key)) {
      const names = positionNames(this.game, blinds);
      const numbers = names.map((name) => numberOf(name, this.placeNumbers, this.places));
      this.placesByBlinds.set(key, numbers);
    }
    return this.placesByBlinds.get(key);
  }

  /**
   * Return the rows of the hands that pass.  `wanted` has, where asked for: hands ([[first,
   * last]]), player and position (names), won, lost and pot (big blinds), street (0-based),
   * showdown (boolean), offMenu (shares of the pot).
   */
  select(wanted) {
    const rows = new Uint32Array(this.length);
    const player = wanted.player === undefined ? null : this.players.indexOf(wanted.player);
    const place = wanted.position === undefined ? null : this.places.indexOf(wanted.position);
    let found = 0;
    for (let row = 0; row < this.length; row++) {
      if (this.passes(row, wanted, player, place)) rows[found++] = row;
    }
    return rows.slice(0, found);
  }

  passes(row, wanted, player, place) {
    const hand = this.columns.hand.data[row];
    if (wanted.hands && !wanted.hands.some(([first, last]) => hand >= first && hand <= last)) {
      return false;
    }
    const flags = this.columns.flags.data[row];
    if (flags === STRANGE) return true;
    if (!this.seatsPass(row, wanted, player, place)) return false;
    if (wanted.street !== undefined && this.columns.street.data[row] < wanted.street) return false;
    const shown = this.columns.shown.data[row] === 1;
    if (wanted.showdown !== undefined && shown !== wanted.showdown) return false;
    if (flags === ILLEGAL) return true;
    const { pot, bigBlind } = this.columns;
    if (wanted.pot !== undefined && pot.data[row] < wanted.pot * bigBlind.data[row]) return false;
    return wanted.offMenu === undefined || this.hasOffMenu(row, wanted.offMenu, player, place);
  }

  seatsPass(row, wanted, player, place) {
    let most = -Infinity;
    let least = Infinity;
    for (let position = 0; position < this.game.players; position++) {
      if (!this.isMeant(row, position, player, place)) continue;
      const won = this.get("value", row, position) / this.columns.bigBlind.data[row];
      most = Math.max(most, won);
      least = Math.min(least, won);
    }
    if (most === -Infinity) return false;
    return !(most < wanted.won) && !(-least < wanted.lost);
  }

  isMeant(row, position, player, place) {
    const at = row * this.game.players + position;
    return (
      (player === null || this.columns.name.data[at] === player) &&
      (place === null || this.columns.place.data[at] === place)
    );
  }

  hasOffMenu(row, menu, player, place) {
    const { raisesEnd, raiser, share, chip } = this.columns;
    for (let at = row ? raisesEnd.data[row - 1] : 0; at < raisesEnd.data[row]; at++) {
      if (!this.isMeant(row, raiser.data[at], player, place)) continue;
      if (menu.every((part) => Math.abs(share.data[at] - part) >= chip.data[at])) return true;
    }
    return false;
  }

  /** Return rows ordered by pot in big blinds, largest first. */
  biggestFirst(rows) {
    const { pot, bigBlind } = this.columns;
    const size = (row) => pot.data[row] / bigBlind.data[row];
    return rows.slice().sort((one, other) => size(other) - size(one) || one - other);
  }
}

/** Return the ranges of a list of hand numbers such as 1,5,20-30; null for what is none. */
export function handNumbers(text) {
  const ranges = [];
  for (const part of text.split(",")) {
    const found = /^\s*(\d{1,10})(?:-(\d{1,10}))?\s*$/.exec(part);
    if (found === null) return null;
    const range = [Number(found[1]), Number(found[2] ?? found[1])];
    if (range[1] < range[0]) return null;
    ranges.push(range);
  }
  return ranges;
}

function count(text, letter) {
  let times = 0;
  for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) times++;
  return times;
}

function numberOf(name, numbers, names) {
  let number = numbers.get(name);
  if (number === undefined) {
    number = names.length;
    numbers.set(name, number);
    names.push(name);
  }
  return number;
}

/** Return the player with most hands, of equals the first: an index in `table.players`. */
export function mostFrequent(table) {
  const hands = new Uint32Array(table.players.length);
  for (const name of table.columns.name.data.subarray(0, table.length * table.game.players)) {
    hands[name]++;
  }
  return hands.indexOf(Math.max(...hands));
}
