"""The original dealer's defect in limit games with short stacks, to understand its recordings.

A raise by a player whose stack is not above the bet to match was accepted and set the bet to that
stack, usually lowering it: later callers got chips back.  Our rules refuse such a raise.
"""


def original_contributions(game, betting):
    """Return contributions and folds as the original counted them; betting is taken on trust."""
    spent = list(game.blinds)
    bet = max(spent)
    folded = [False] * game.players
    for number, street in enumerate(betting.split("/")):
        seat = game.first_positions[number]
        for letter in street:
            while folded[seat % game.players] or (
                spent[seat % game.players] >= game.stacks[seat % game.players]
            ):
                seat += 1
            actor = seat % game.players
            seat += 1
            if letter == "f":
                folded[actor] = True
            elif letter == "c":
                spent[actor] = min(bet, game.stacks[actor])
            else:
                bet = spent[actor] = min(bet + game.raise_sizes[number], game.stacks[actor])
    return spent, folded
