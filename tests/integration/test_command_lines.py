"""What command lines refuse: one table over commands, each row run in a folder with bad files."""

import re
import shlex

import pytest

from dealer.arena import main
from tests.helpers.said import says
from tests.integration import refusals_of_bots, refusals_of_dealers

BIG = """
limit
numPlayers = 2
numRounds = 1
blind = 1 1
raiseSize = 1
maxRaises = 2
numSuits = 4
numRanks = 13
numHoleCards = 3
numBoardCards = 2
"""
FILES = {
    "hand.log": "# name/game/hands/seed m hunl 1 7\nSTATE:0:f:2c3d|4h5s:50|-50:Ann|twin\n",
    "ok.log": "# name/game/hands/seed m hunl 10 7\n",
    "bad.toml": 'game = "leduc"\nspeed = 3\n',
    "bad.game": "limit\nnumPlayers = 1\n",
    "big.game": BIG,
}
SPOT = "--board 4s8hTc9h2s --pot 500 --stacks 700 --oop AA,KK,76s --ip QQ,AKs --iterations 9"
SPOILT = [
    ("--pot=501", ("--pot", 501, "even")),
    ("--pot=20 --stacks=89", ("--big-blind 100", 99)),
    ("--stacks=0", ("--stacks", "want 1 to 1000000000")),
    ("--stacks=1,2,3", ("--stacks 1,2,3", "one number, or two")),
    ("--stacks=700,", ("--stacks", "''")),
    ("--board=KsJs", ("--board KsJs", "3, 4 or 5", "not 2")),
    ("--board=4s8hTc9h2s3d", ("3, 4 or 5", "not 6")),
    ("--board=4s8hTc9h4s", ("--board 4s8hTc9h4s", "4s is named twice")),
    ("--board=4s8hTc9h2", ("--board", "list of cards")),
    ("--board=♠♥♦", ("--board", "list of cards")),
    ("--board='\n'", (r"--board \n", "3, 4 or 5")),
    ("--board=KsJs7d --memory=0.0001", ("needs", "MiB", "--memory")),
    ("--oop=QQ+,AKx", ("--oop", "'AKx': no hand")),
    ("--oop=' '", ("--oop", "range without hands")),
    ("--oop=AA:0", ("--oop", "range without hands")),
    ("--oop=AA:-1", ("--oop", "'AA:-1'", "weight")),
    ("--oop=AhAd --ip=AhKd,AdKh", ("no two hands",)),
    ("--ip=4s3s,8h7h", ("--ip", "every hand")),
    ("--ip=@", ("--ip @", "Is a directory")),
    ("--ip=@/no/such/file", ("--ip @/no/such/file", "No such file")),
    ("--ip=@/dev/zero", ("--ip @/dev/zero", "too long")),
    ("--bets=", ("--bets", "bet size ''")),
    ("--bets=nan", ("--bets", "bet size 'nan'")),
    ("--bets=50/100", ("--bets 50/100", "2 streets, 1 to come")),
    ("--raises=-5", ("--raises", "bet size '-5'")),
    ("--algorithm=cfr9", ("--algorithm 'cfr9'", "adaptive, cfr")),
    ("--pool=cfr", ("--pool", "--algorithm adaptive")),
    ("--algorithm=adaptive --alpha=2", ("alpha 2.0",)),
    ("--node=r501", ("--node 'r501'", "c, r500, r750, r950")),
    ("--dealt=2", ("--dealt", "list of cards")),
    ("--dealt=2h2h", ("--dealt 2h2h", "2h is named twice")),
    ("--hands=", ("--hands", "range without hands")),
    ("--hands=@/no/such/file", ("--hands @/no/such/file", "No such file")),
    ("--out=.", ("--out .", "no file")),
    ("--out=/dev/null", ("--out /dev/null", "no file")),
    ("--out=bad.toml", ("--out bad.toml", "no solution")),
    ("--out=missing/x", ("--out missing/x", "No such file")),
    ("--out=bad.toml/x", ("--out bad.toml/x", "Not a directory")),
    ("--out='two\nlines/x'", (r"--out two\nlines/x",)),
    (f"--out={'x' * 250}", ("File name too long",)),
    ("--checkpoint=.", ("--checkpoint .", "no file")),
    ("--checkpoint=missing/x", ("--checkpoint missing/x", "cannot be written")),
    ("--checkpoint=x --out=./x", ("--checkpoint x", "where the solution goes")),
]
"""What makes a spot to solve one that cannot be."""
REFUSED = {
    "equity": [
        ("", ("name a hand or a range, or --preflop",)),
        ("--preflop points", ("invalid choice: 'points'",)),
        ("--preflop chen AKx", ("'AKx': no hand",)),
        ("--preflop chen AA --board 2c3c4c", ("--preflop goes without --board",)),
        ("AA --preflop chen --samples 10", ("--preflop goes without --board",)),
        ("foo", ("'foo': no hand",)),
        ("AA,KKs", ("'KKs': a pair",)),
        ("AA:0", ("'AA:0': no hand",)),
        ("AA KK --board Ts9s", ("want 3 to 5 different cards",)),
        ("AA KK --board Ts9s2", ("want 3 to 5 different cards",)),
        ("AA KK --board Ts9sXx", ("want 3 to 5 different cards",)),
        ("AA KK --board Ts9sTs", ("Ts is named twice",)),
        ("AA KK --board Ts9s2c3c4c5c", ("want 3 to 5 different cards",)),
        ("AhKh AsAd --board AsAhAd", ("'AhKh': no hand beside AsAhAd",)),
        ("AsAh AsKs", ("As is in hand 1 and in hand 2",)),
        ("AsAh,AsKs As2s,As3s", ("no two hands",)),
        ("AA AA AA", ("hardly one",)),
        ("AhKh --potential", ("--potential wants",)),
        ("AA --board 2c3c4c --potential", ("--potential wants",)),
        ("AhKh --board 2c3c4c5c6c --potential", ("--potential wants",)),
        ("AhKh AA KK --board 2c3c4c --potential", ("--potential wants",)),
        ("AA --samples 1", ("--samples",)),
        ("AA --samples many", ("--samples",)),
        ("AA --seed -1", ("--seed",)),
        ("AcAd AhAs KcKd KhKs QcQd QhQs JcJd JhJs TcTd ThTs 2c2d", ("2 to 10",)),
        ("QQ+,AKx", ("AKx",)),
    ],
    "games": [
        ("chess", ("chess", "kuhn (kuhn.limit.2p)")),
    ],
    "solve": [
        *((f"{SPOT} {words}", facts) for words, facts in SPOILT),
        ("", ("missing", "--board", "--pot")),
        ("nowhere", ("nowhere", "no such file")),
        ("bad.toml", ("bad.toml", "not an artifact file")),
        ("--pot=0", ("--pot",)),
        ("--pot=1e3", ("--pot",)),
        ("--pot=٣٢", ("--pot",)),
        ("--pot=1000000002", ("--pot",)),
        ("--max-raises=-1", ("--max-raises",)),
        ("--big-blind=0", ("--big-blind",)),
        ("--accuracy=0", ("--accuracy",)),
        ("--accuracy=nan", ("--accuracy",)),
        ("--iterations=0", ("--iterations",)),
        ("--iterations=1.5", ("--iterations",)),
        ("--seconds=inf", ("--seconds",)),
        ("--threads=0", ("--threads",)),
        ("--storage=int8", ("--storage",)),
        ("--memory=-1", ("--memory",)),
    ],
    "sprt": [
        ("", ("--mbb1",)),
        ("--mbb1 -1", ("mbb0 below mbb1",)),
        ("--mbb1 5 --alpha 0.6", ("alpha=0.6",)),
        ("--mbb1 5 --sd 0", ("--sd",)),
        ("--mbb1 5 --sd 1e308", ("200,000 mbb/h",)),
        ("--mbb1 5 --stack 1e300", ("1e+09",)),
        ("--mbb1 1e-300", ("1e-06 mbb/h",)),
        ("--mbb1 300000", ("300000 mbb/h",)),
        ("--mbb1 5 --samples x --sd 3", ("--sd does not go",)),
        ("--mbb1 5 --samples no-such.log", ("no-such.log: No such file",)),
        ("--mbb1 5 --samples .", ("no log",)),
        ("--mbb1 5 --player Ann", ("--player is for --samples",)),
        ("--mbb1 5 --game tic-tac-toe", ("tic-tac-toe",)),
    ],
    "rate": [
        ("none.log", ("none.log: No such file",)),
        ("none.log --game chess", ("chess", "neither a file")),
        ("none.log --rename x", ("--rename", "OLD=NEW")),
        ("none.log --unit deal", ("--unit", "deal")),
        ("none.log --json --csv -", ("--json", "--csv", "stdout")),
        ("", ("LOG|FOLDER",)),
    ],
    "stats": [
        ("none.log", ("none.log: No such file",)),
        ("none.log --game chess", ("chess", "neither a file")),
        ("none.log --strip-suffix '('", ("--strip-suffix",)),
        ("none.log --rename x", ("--rename", "OLD=NEW")),
        ("", ("LOG|FOLDER",)),
    ],
    "train equilibrium": [
        ("", ("--game",)),
        ("--game chess", ("--game", "chess")),
        ("--game bad.game", ("--game", "bad.game")),
        ("--game hunl", ("too large", "1,000,000 nodes")),
        ("--game big.game", ("too large",)),
        ("--game kuhn --minimiser magic", ("--minimiser", "magic")),
        ("--game kuhn --minimiser cfr --pool cfr", ("--pool", "--minimiser adaptive")),
        ("--game kuhn --minimiser cfr --every 2", ("--every", "--minimiser adaptive")),
        ("--game kuhn --preset mine", ("--preset", "mine")),
        ("--game kuhn --pool cfr,magic", ("--pool", "magic")),
        ("--game kuhn --pool cfr,cfr", ("--pool", "cfr,cfr")),
        ("--game kuhn --exploitability 0", ("--exploitability", "0")),
        ("--game kuhn --iterations 0", ("--iterations", "0", "1")),
        ("--game kuhn --minutes nan", ("--minutes", "nan")),
        ("--game kuhn --alpha 2", ("alpha", "2.0")),
        ("--game kuhn --exploration -1", ("--exploration",)),
        ("--game kuhn --seed x", ("--seed",)),
        ("--game kuhn --resume --out new", ("new", "resume")),
    ],
    "train blueprint": [
        ("", ("--minutes M",)),
        ("--minutes 0", ("argument --minutes: 0",)),
        ("--minutes nan", ("argument --minutes: nan",)),
        ("--minutes 0.01 --workers 0", ("argument --workers: 0",)),
        ("--minutes 0.01 --iterations 9999999999999", ("argument --iterations: 9999999999999",)),
        ("--minutes 0.01 --lbr-pairs x", ("argument --lbr-pairs: x",)),
        ("--minutes 0.01 --settings C,X", ("argument --settings", "street 'X'")),
        ("--minutes 0.01 --script C,0", ("argument --script", "street '0'")),
        ("--minutes 0.01 --boards 0", ("argument --boards: 0",)),
        ("--minutes 0.01 --patience 0", ("argument --patience: 0",)),
        ("--minutes 0.01 --patience 2 --lbr-pairs 0", ("--patience", "--lbr-pairs 0")),
        ("--minutes 0.01 --config best", ("'best'",)),
        ("--minutes 0.01 --config bad.toml", ("bad.toml", "'speed'")),
        ("--minutes 0.01 --resume --out new", ("new", "resume")),
    ],
    "train statistical": [
        ("", ("arguments are required",)),
        ("songs --logs x", ("invalid choice", "'songs'")),
        ("types", ("--logs",)),
        ("types --logs x --seed -1", ("--seed",)),
        ("types --logs x --held-out 1", ("want a number between 0 and 1",)),
        ("ann --logs x --epochs 0", ("--epochs: 0: want a",)),
        ("types --logs x --hidden 5", ("--hidden: only for ann, not for types",)),
        ("ann --logs x --hidden 5000", ("--hidden: 5000: want 1 to 1024",)),
        ("curves --logs x --window 5", ("--window: only for types, not for curves",)),
        ("ann --logs x --others x", ("--others: only for types, not for ann",)),
        ("types --logs x --game chess", ("chess",)),
    ],
    "check": [
        ("", ("bot",)),
        ("alway-call", ("alway-call", "always-call")),
        ("listen --only jioned", ("jioned",)),
        ("listen --only time --skip time", ("no check",)),
        ("listen --game chess", ("--game", "chess")),
        ("listen --game hunl --game hunl", ("two games",)),
        ("rule --game kuhn", ("rule", "kuhn")),
        ("listen --game leduc --players 4", ("not hold'em",)),
        ("listen --players 1-3", ("--players", "1-3")),
        ("listen --players few", ("--players", "few")),
        ("listen --t_response 0", ("--t_response", "milliseconds")),
        ("listen --late nan", ("--late", "seconds")),
    ],
    "agent": [
        ("", ("want the NAME of a bot",)),
        ("--json", ("want the NAME of a bot",)),
        ("slumbot localhost 4000", ("'slumbot'", "always-call")),
        ("rule", ("HOST, PORT",)),
        ("rule localhost", ("required: PORT",)),
        ("rule localhost port", ("port port", "1 to 65535")),
        ("rule localhost 65536", ("1 to 65535",)),
        ("rule localhost 0", ("1 to 65535",)),
        ("rule localhost 4000 --game chess", ("no built-in game 'chess'",)),
        ("rule localhost 4000 --game /dev/zero", ("/dev/zero: is no file",)),
        ("rule localhost 4000 --game kuhn", ("rule plays hold'em",)),
        ("rule localhost 4000 --seed -1", ("seed",)),
        ("rule localhost 4000 --seed 18446744073709551616", ("want a number from 0",)),
        ("rule localhost 4000 --reconnect soon", ("seconds",)),
        ("rule localhost 4000 --connect-timeout inf", ("seconds",)),
        ("rule localhost 4000 --t_response x", ("milliseconds",)),
        ("rule localhost 4000 --t_hand 1.5", ("milliseconds",)),
        ("rule localhost 4000 --t_per_hand -1.5", ("--t_per_hand",)),
        ("rule localhost 4000 --fold 1", ("unrecognized arguments",)),
        ("biased-random localhost 4000 --call 0", ("call 0: want more than 0",)),
        ("biased-random localhost 4000 --raise x", ("invalid float",)),
        ("statistical localhost 1 --types 2", ("types 2: want 0 or 1",)),
    ],
    "data values": [
        ("new --shares luck=1", ("luck=1",)),
        ("new --bets much", ("much",)),
        ("new --street flop", ("flop",)),
        ("new --street turn --network x", ("only where flops end",)),
        ("new --street turn --shares searched=1", ("none of it",)),
        ("new --json", ("--describe",)),
    ],
    "train library": [
        ("file.network --out new", ("NAME=FILE",)),
        ("O2=x --out new", ("base=FILE",)),
    ],
    "data pool": [
        ("O1 --out logs", ("alone",)),
        ("O1 plane-101-0 --out logs", ("no bot to measure",)),
        ("--hands 0 --out logs", ("--hands: 0: want",)),
        ("--game leduc --out logs", ("hold'em for two",)),
    ],
    "train": [
        ("songs", ("songs", "ashe, ashe-2, astar, blueprint")),
    ],
}
"""Command -> its words, and what the one line must say."""


TABLES = (REFUSED, refusals_of_bots.REFUSED, refusals_of_dealers.REFUSED)


@pytest.mark.parametrize(
    ("command", "words", "facts"),
    [(command, *row) for table in TABLES for command, rows in table.items() for row in rows],
)
def test_what_makes_no_sense_is_one_line_and_exit_2(
    command, words, facts, tmp_path, monkeypatch, capsys
):
    """Before anything is done or written."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        if name in words:
            (tmp_path / name).write_text(text)
    for name, model in refusals_of_bots.MODELS.items():
        if name in words:
            model().save(tmp_path / name)
    before = {path.name for path in tmp_path.iterdir()}
    try:
        code = main([*command.split(), *shlex.split(words)])
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    *earlier, last = err.splitlines()
    assert (code, out) == (2, "")
    assert all(re.match(r"run folder | *\d+ individuals of ", line) for line in earlier)
    says(last, f"arena {command}", *facts)
    assert {path.name for path in tmp_path.iterdir()} == before
