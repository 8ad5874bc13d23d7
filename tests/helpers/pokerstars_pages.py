"""Pages of PokerStars, for tests."""

from tests.helpers.histories import only_hand

CASH = """\
\ufeffPokerStars Zoom Hand #208989898989:  Hold'em No Limit ($0.50/$1.00 USD) - \
2020/02/03 7:05:09 CET [2020/02/03 1:05:09 ET]
Table 'Aludra' 6-max Seat #5 is the button
Seat 1: Ann: a ($100 in chips)
Seat 3: bob ($98.50 in chips)\x20
Seat 5: Cleo (x) ($40 in chips)
Seat 6: dan ($12 in chips) is sitting out
Ann: a: posts small blind $0.50
bob: posts big blind $1
*** HOLE CARDS ***
Dealt to bob [Qd Qs]
eve joins the table at seat #2
Cleo (x): raises $2 to $3
Ann: a said, "bob: folds"
Ann: a: raises $9 to $12
bob: calls $11
Cleo (x): raises $28 to $40 and is all-in
Ann: a: raises $60 to $100 and is all-in
bob: calls $86.50 and is all-in
Uncalled bet ($1.50) returned to Ann: a
*** FLOP *** [Qh 7c 2d]
*** TURN *** [Qh 7c 2d] [Kc]
*** RIVER *** [Qh 7c 2d Kc] [4s]
*** SHOW DOWN ***
Ann: a: shows [Kd Ks] (three of a kind, Kings)
bob: shows [Qd Qs] (three of a kind, Queens)
Ann: a collected $117 from side pot
Cleo (x): mucks hand
Ann: a collected $120 from main pot
dan has timed out
*** SUMMARY ***
Total pot $237 Main pot $120. Side pot $117. | Rake $0
Board [Qh 7c 2d Kc 4s]
Seat 1: Ann: a (small blind) showed [Kd Ks] and won ($237) with three of a kind, Kings
Seat 3: bob (big blind) showed [Qd Qs] and lost with three of a kind, Queens
Seat 5: Cleo (x) (button) mucked [9h 9s]
"""
HEADS_UP = """\
PokerStars Hand #7:  Hold'em No Limit (50/100) - 2016/11/07 12:17:03 UTC
Table 'Lyra' 2-max (Play Money) Seat #2 is the button
Seat 1: Ann (20000 in chips)
Seat 2: Bob (20000 in chips)
Bob: posts small blind 50
Ann: posts big blind 100
*** HOLE CARDS ***
Dealt to Ann [7d 2c]
Bob: raises 100 to 200
Ann: calls 100
*** FLOP *** [Kc 4c 3s]
Ann: checks
Bob: bets 200
Ann: folds
Uncalled bet (200) returned to Bob
Bob collected 400 from pot
Bob: doesn't show hand
*** SUMMARY ***
Total pot 400 | Rake 0
Board [Kc 4c 3s]
Seat 1: Ann (big blind) folded on the Flop
Seat 2: Bob (button) (small blind) collected (400)
"""


def changed(text, *pairs):
    """The text with each old part replaced, which must be there."""
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def read(text):
    """The one hand of a text of PokerStars."""
    return only_hand(text, "pokerstars")
