"""What a command line or a TOML file of `arena tournament` asks for."""

from pathlib import Path

import pytest

from dealer.bots.participants import BotKind
from dealer.errors import MatchError, MatchUsageError
from dealer.series.folder import prepare_folder
from dealer.series.schedule import TournamentStyle
from tests.helpers.requests import tournament_request
from tests.helpers.said import refused

pytestmark = pytest.mark.usefixtures("roster")


def test_two_names_are_enough():
    """A round-robin, a thousand hands each way, cards nobody can foresee."""
    request = tournament_request("rule call")
    found = request.manifest
    assert (found.style, found.labels) == (TournamentStyle.ROUND_ROBIN, ("rule", "call"))
    assert (found.hands, found.runs, found.duplicate) == (1000, 1, True)
    assert request.folder == Path("tournaments") / f"round-robin-{found.seed}"
    assert (request.jobs, request.resume, request.rating_interval) == (3, False, 0)


def test_everything_can_be_said():
    """Options may stand between the bots."""
    request = tournament_request(
        "rule --style gauntlet --challengers 2 x=call --game kuhn y=call --hands 10 --seed 5 "
        "--rounds 3 --t_response 100 --reconnect 2.5 --invalid forfeit --out o --force --jobs 4 "
        "--affinity --recover --events --quiet --rating-interval 7 --json j.json"
    )
    tournament = request.manifest
    assert tournament.labels == ("rule", "x", "y")
    assert (tournament.style, tournament.challengers) == (TournamentStyle.GAUNTLET, 2)
    assert tournament.pairing_count == 2
    settings = tournament
    assert (settings.hands, settings.seed, settings.runs) == (10, 5, 3)
    assert dict(settings.dealer_options) == {
        "t_response": 100,
        "reconnect": 2.5,
        "invalid": "forfeit",
    }
    assert (request.folder, request.force, request.jobs) == (Path("o"), True, 4)
    assert (request.recover, request.events, request.quiet) == (True, True, True)
    assert (request.rating_interval, request.json) == (7, Path("j.json"))


TOML = """
style = "knockout"
hands = 20
rounds = 2
seed = 9
recover = true
t_response = 500

[each]
directory = "bots"
options = { depth = 2, fast = true }
t_hand = 600

[[bot]]
command = "rule"
directory = ""
options = { depth = 3 }
t_hand = 700
t_response = 70

[[bot]]
command = "/bin/echo -n"
arguments = ["a b"]
label = "mine"

[[bot]]
command = "listen"
options = { depth = "", fast = false }
label = "guest"
"""


def test_a_file_says_the_same(tmp_path):
    """What all bots have in common, what one has of its own; the command line counts more."""
    (tmp_path / "bots").mkdir()
    text = TOML.replace('options = { depth = "", fast = false }\n', "").replace(
        '"listen"', '"call"'
    )
    (tmp_path / "t.toml").write_text(text, encoding="utf-8")
    request = tournament_request("t.toml --hands 30 --t_hand mine=-1 --t_response rule=80")
    settings = request.manifest
    assert request.manifest.style is TournamentStyle.KNOCKOUT
    assert (settings.hands, settings.runs, settings.seed, request.recover) == (30, 2, 9, True)
    assert dict(settings.dealer_options) == {"t_response": 500, "reconnect": 60}
    rule, mine, guest = settings.bots
    assert (rule.kind, rule.words) == (BotKind.SHIPPED, ("rule", "--depth", "3", "--fast"))
    assert (rule.directory, mine.directory) == ("", str(tmp_path / "bots"))
    assert mine.words == ("/bin/echo", "-n", "a b", "--depth", "2", "--fast")
    assert (mine.label, guest.label) == ("mine", "guest")
    assert rule.clocks == (("t_response", 80), ("t_hand", 700))
    assert (mine.clocks, guest.clocks) == ((("t_hand", -1),), (("t_hand", 600),))


def test_aivat_may_be_asked_for_in_a_file(tmp_path, monkeypatch):
    """One player or several that are known; the command line adds to them."""
    monkeypatch.setattr("dealer.commands.requests.what_is_wrong", lambda words: "")
    told = 'aivat = true\nvalues = "checked-down"\n[[bot]]\ncommand = "rule"\n'
    (tmp_path / "t.toml").write_text('known = ["rule", "y=call"]\n' + told, encoding="utf-8")
    (tmp_path / "u.toml").write_text('known = "rule"\n' + told, encoding="utf-8")
    known = ("--known", "rule", "--known", "y=call")
    values = ("--values", "checked-down")
    assert tournament_request("t.toml y=call").manifest.labels == ("rule", "y")
    assert tournament_request("t.toml y=call").aivat == (*known, *values)
    assert tournament_request("u.toml y=call --known y=call").aivat == (*known, *values)
    assert tournament_request("rule call --aivat").aivat == ()
    assert tournament_request("rule call").aivat is None


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("hands = ", ["Invalid value"]),
        ("colour = 3", ["colour", "no setting", "there are style", "[[bot]], [each]"]),
        ('[[bots]]\ncommand = "rule"', ["bots", "did you mean [[bot]]?"]),
        ("in_process = true", ["did you mean in-process?"]),
        ("hand = 3", ["did you mean hands?"]),
        ('[[bot]]\ncomand = "rule"', ["comand", "bot 1", "did you mean command?"]),
        ("hands = [3]", ["hands", "a number"]),
        ("known = [3, [4]]", ["known", "a number"]),
        ("bot = 3", ["bot", "a table"]),
        ("each = 3", ["[each]", "a table"]),
        ('[each]\nlabel = "x"', ["label", "no key", "[each]"]),
        ("[[bot]]", ["bot 1", "command"]),
        ('[[bot]]\ncommand = ""', ["bot 1", "command"]),
        ('[[bot]]\ncommand = "a \'b"', ["no closing quotation"]),
        ('[[bot]]\ncommand = "rule"\nlabel = 3', ["label", "bot 1", "a text"]),
        ('[[bot]]\ncommand = "rule"\nname = "x"', ["name", "no key", "bot 1"]),
        ('[[bot]]\ncommand = "rule"\narguments = "x"', ["arguments", "bot 1", "a list"]),
        ('[[bot]]\ncommand = "rule"\nt_hand = 1.5', ["t_hand", "bot 1", "whole number"]),
        ('[[bot]]\ncommand = "rule"\noptions = 3', ["options", "bot 1", "a table"]),
        ('[[bot]]\ncommand = "rule"\ndirectory = "nowhere"', ["no folder", "nowhere"]),
    ],
)
def test_a_file_that_is_wrong_is_told_where(tmp_path, text, facts):
    """In one line with its name."""
    (tmp_path / "t.toml").write_text(text, encoding="utf-8")
    with refused(MatchUsageError, "t.toml", *facts):
        tournament_request("t.toml")


def test_a_file_that_is_no_text_is_refused():
    """With its name."""
    Path("u.toml").write_bytes(b"\xff\xfe")
    with refused(MatchUsageError, "u.toml"):
        tournament_request("u.toml")


def test_resume_goes_on_with_what_is_stored(tmp_path):
    """More rounds make it longer; all else must be what it was."""
    stored = tournament_request("rule call x=call --hands 20 --seed 3 --reconnect 5")
    prepare_folder(tmp_path / "t", stored.manifest, force=False)
    assert tournament_request("--resume t").manifest == stored.manifest
    assert tournament_request("--resume t rule call x=call --hands 20").manifest == stored.manifest
    assert tournament_request("--resume t rule x=call").manifest == stored.manifest
    longer = tournament_request("--resume t --rounds 3")
    assert longer.manifest.runs == 3
    assert longer.stored == stored.manifest
    assert longer.manifest.digest == stored.manifest.digest
    for words, facts in (
        ("--hands 30", ["hands: 20", "30 asked"]),
        ("--seed 4", ["seed: 3", "4 asked"]),
        ("--style knockout", ["style: round-robin", "knockout asked"]),
        ("--t_hand 5", ["options", "dealer"]),
        ("--t_hand x=5", ["x=call --t_hand 5"]),
        ("--game leduc", ["game: holdem"]),
        ("call rule", ["rule=rule, call=call, x=call in"]),
        ("--force", ["--resume", "--force"]),
    ):
        with refused(MatchUsageError, *facts):
            tournament_request(f"--resume t {words}")
    prepare = longer.manifest
    with refused(MatchError, tmp_path / "t", "a tournament", "--resume", "--force"):
        prepare_folder(tmp_path / "t", prepare, force=False)
    prepare_folder(tmp_path / "t", prepare, force=True)
    with refused(MatchUsageError, "rounds: 3", "2 asked"):
        tournament_request("--resume t --rounds 2")


def test_a_knockout_cannot_be_made_longer(tmp_path):
    """More rounds change who goes on; as many as there are may be said."""
    stored = tournament_request("rule call --style knockout --hands 20 --rounds 2").manifest
    prepare_folder(tmp_path / "t", stored, force=False)
    before = (tmp_path / "t" / "tournament.json").read_bytes()
    assert tournament_request("--resume t --rounds 2").manifest == stored
    with refused(MatchUsageError, "t", "knockout", "longer"):
        tournament_request("--resume t --rounds 3")
    assert (tmp_path / "t" / "tournament.json").read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-40],
        lambda text: text.replace('"format": 1', '"format": 2'),
        lambda text: text.replace("round-robin", "swiss"),
        lambda text: text.replace('"style": "round-robin",', ""),
        lambda text: text.replace('"label": "rule"', '"label": "../rule"'),
        lambda text: text.replace("numPlayers = 2", "numPlayers = 3"),
        lambda text: "[]",
    ],
)
def test_a_stored_tournament_that_was_changed_is_refused(tmp_path, change):
    """With its name."""
    prepare_folder(tmp_path / "t", tournament_request("rule call").manifest, force=False)
    path = tmp_path / "t" / "tournament.json"
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(MatchError, match=r"tournament\.json|manifest"):
        tournament_request("--resume t")


def test_forfeited_legs_of_a_knockout_are_not_played_again(tmp_path):
    """They have decided who met whom."""
    for style in ("knockout", "round-robin"):
        stored = tournament_request(f"rule call --style {style} --hands 20").manifest
        prepare_folder(tmp_path / style, stored, force=False)
    with refused(MatchUsageError, "knockout", "again"):
        tournament_request("--resume knockout --retry")
    assert tournament_request("--resume round-robin --retry").retry
