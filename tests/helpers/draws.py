"""All that a sampled play may come to, with its probabilities: exact means without sampling."""

from math import prod

import numpy as np


def all_draws(play):
    """Call play(draw) once for every way to draw; yield (probability, result).

    `draw` takes probabilities and returns the index of one that is not 0.
    """
    script = []
    while True:
        drawn = []

        def draw(probabilities, script=script, drawn=drawn):
            options = np.flatnonzero(probabilities)
            pick = script[len(drawn)] if len(drawn) < len(script) else 0
            drawn.append((pick, len(options), probabilities[options[pick]]))
            return int(options[pick])

        result = play(draw)
        yield prod(probability for _, _, probability in drawn), result
        while drawn and drawn[-1][0] + 1 == drawn[-1][1]:
            drawn.pop()
        if not drawn:
            return
        script = [pick for pick, _, _ in drawn]
        script[-1] += 1
