// Matches of the board: as a table, and one of them whole.

import { countText, make, signedText, straight } from "../shared/dom.js";

const STATES = {
  running: "being played",
  finished: "finished",
  forfeited: "forfeited",
  void: "not counted",
};

/** Return a table of matches. */
export function matchTable(matches) {
  const heads = ["Match", "Bots", "Game", "Hands", "mbb/h of the first", "State"];
  const row = (text, index) => make("th", { class: index === 1 ? "text" : null, text });
  const table = make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ...heads.map(row))),
    make("tbody", {}, ...matches.map(matchRow)),
  );
  return make("div", { class: "wide-table" }, table);
}

function matchRow(match) {
  const { match: id, game, hands, hands_played: played, state } = match;
  const now = state === "running";
  const hand = now ? `${countText(played)} of ${countText(hands)}` : countText(played);
  return make(
    "tr",
    {},
    make("th", {}, make("a", { href: `?match=${id}`, text: id })),
    make("td", { class: "text" }, ...botLinks(match)),
    make("td", { text: straight(game) }),
    make("td", { text: hand }),
    make("td", { text: rateOf(match) }),
    make("td", { text: stateOf(match), title: straight(match.detail) || null }),
  );
}

function stateOf({ state, forfeited_by: loser }) {
  return loser ? `${STATES[state]} by ${straight(loser)}` : STATES[state];
}

function playersOf({ first, second, third }) {
  return third ? [first, second, third] : [first, second];
}

function botLinks(match) {
  return playersOf(match).flatMap((bot, at) => (at ? [" and ", botLink(bot)] : [botLink(bot)]));
}

function botLink({ bot, version, digest }) {
  const link = make("a", { href: `?bot=${encodeURIComponent(bot)}`, text: straight(bot) });
  return make("bdi", { title: digest || null }, link, ` ${straight(version)}`);
}

function rateOf({ best }) {
  if (!best) return "";
  const around = best.ci95_mbb_per_hand.toFixed(0);
  return `${signedText(Math.round(best.mbb_per_hand))} \u00b1 ${around}`;
}

/** Return one match whole. */
export function matchPage(match) {
  const { match: id, state, detail, pairs, rated, commitment, secret } = match;
  document.title = `Match ${id}`;
  const facts = [
    ["State", STATES[state] + (detail ? `: ${straight(detail)}` : "")],
    ["Forfeited by", match.forfeited_by && straight(match.forfeited_by)],
    ["Deals", pairs ? "each from both seats" : "once"],
    ["Rated", rated ? "yes" : "no"],
    ["SHA-256 of the secret", commitment],
    ["Secret", secret ?? "told when the match is over"],
    ["Words of the guests", straight(match.words)],
    ["Digests", playersOf(match).map(({ digest }) => straight(digest)).join(" and ")],
  ].filter(([, value]) => value);
  const legs = state === "running" ? [] : pairs ? [0, 1] : [0];
  const logLink = (leg) => make("a", { href: `logs/${id}.${leg}.log`, text: `leg ${leg} ` });
  const links = legs.map(logLink);
  return [
    make("h1", { text: `Match ${id}` }),
    matchTable([match]),
    make("dl", {}, ...facts.flatMap(factRow)),
    ...watchLink(match),
    make("p", {}, ...(links.length ? ["Logs: ", ...links] : [])),
    ...estimateRows(match),
  ];
}

/** Return the way to the hands; files of a board that is only copied have none. */
function watchLink({ watch, state }) {
  if (!watch) return [];
  const text = state === "running" ? "Watch it" : "Look at the hands";
  return [make("p", {}, make("a", { href: watch, text }))];
}

function factRow([name, text]) {
  return [make("dt", { text: name }), make("dd", { text })];
}

function estimateRows({ result, first }) {
  if (!result) return [];
  const rows = Object.entries(result.estimates).map(([name, estimate]) => {
    const { mbb_per_hand: rate, ci95_mbb_per_hand: around, samples } = estimate;
    const text = rate === null ? "" : signedText(Math.round(rate * 10) / 10);
    const interval = around === null ? "?" : around.toFixed(1);
    return make(
      "tr",
      {},
      make("th", { class: "text", text: name }),
      make("td", { text: `${text} \u00b1 ${interval}` }),
      make("td", { text: countText(samples) }),
    );
  });
  const heads = ["Estimator", `mbb/h of ${straight(first.bot)}, 95 %`, "Samples"];
  const head = make("tr", {}, ...heads.map((text) => make("th", { text })));
  const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows));
  const title = make("h2", { text: "Win rate by every estimator" });
  return [title, make("div", { class: "wide-table" }, table), ...aivatNotes(result)];
}

/** Return what there is to say of AIVAT, which is computed after the match. */
function aivatNotes({ aivat }) {
  const texts = {
    pending: () => "AIVAT is still being computed.",
    counted: ({ known }) => `AIVAT knows the strategy of ${straight(known)}.`,
    none: ({ reason }) => `Without AIVAT: ${straight(reason)}.`,
  };
  return aivat ? [make("p", { class: "note", text: texts[aivat.state](aivat) })] : [];
}
