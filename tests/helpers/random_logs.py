"""Match logs of random legal play, written by the readable engine alone."""

from engine.rules.keyed_dealing import deal_stream
from engine.rules.pots import payoffs
from engine.rules.state import HandState
from engine.rules.view import CardTexts
from engine.showdown.evaluator import strength
from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.deals import DealsCommitment, DealsProof, format_deals_note, format_proof
from protocol.handlog import HandRecord, Header, Score, format_chips, format_hand, format_header
from protocol.handlog import format_score as score_line

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ivy", "Jo")


def random_betting(game, random):
    """Play one hand with random legal actions; `random` is a numpy Generator."""
    state = HandState.start(game)
    while not state.over:
        state = state.apply(random_action(state, random))
    return state


def random_record(game, hand_id, deal, names, random):
    """Return the record of a random hand with the given cards; names by position."""
    state = random_betting(game, random)
    board = deal.board[: game.board_seen(state.street)]
    ranked = [strength((*hole, *board)) for hole in deal.holes] if state.showdown else None
    values = payoffs(state.spent, state.folded, ranked)
    record = HandRecord(
        hand_id=hand_id,
        betting=state.betting,
        cards=CardTexts(game, deal).log_text(state),
        values=tuple(format_chips(value) for value in values),
        names=tuple(names),
    )
    return record, values


def random_log(game, seed, hands, random, *, names=NAMES, fixed=False, name="match", game_name="g"):
    """Return the lines of a whole match log, header and SCORE included, without line ends.

    Instead of a seed there may be the proof of a secret, which is then the last line.
    """
    players = game.players
    secret = isinstance(seed, DealsProof)
    deals = deal_stream(game, seed.key if secret else seed)
    totals = [0.0] * players
    lines = [format_header(Header(name, game_name, hands, seed.number if secret else seed))]
    lines += [format_deals_note(DealsCommitment(seed.commitment))] if secret else []
    for hand_id in range(hands):
        seats = [
            position if fixed else (position + hand_id) % players for position in range(players)
        ]
        record, values = random_record(
            game, hand_id, next(deals), [names[seat] for seat in seats], random
        )
        lines.append(format_hand(record))
        for seat, value in zip(seats, values, strict=True):
            totals[seat] += value
    score = Score(tuple(map(format_chips, totals)), tuple(names[:players]))
    return [*lines, score_line(score), *([format_proof(seed)] if secret else [])]


def random_action(state, random):
    """Return a random legal action."""
    choice = random.random()
    legal = state.raise_range()
    if choice < 0.08 and state.can_fold:
        return FOLD
    if choice < 0.4 and legal is not None:
        if not state.game.no_limit:
            return RAISE
        smallest, largest = legal
        reach = smallest + (largest - smallest) * random.random() ** 4
        return raise_to(int(reach))
    return CALL
