"""What a BOT argument means."""

import sys
from pathlib import Path

import pytest

from dealer.bots.participants import (
    CLASS_PATTERN,
    BotKind,
    Participant,
    bot_environment,
    compiles,
    launch_command,
    parse_bots,
    possibly_shipped,
    program_words,
    strictly,
)
from dealer.errors import MatchUsageError
from dealer.plan.match_plan import MatchLimits
from tests.helpers.said import refused

SHIPPED = ("always-call", "rule")


def bots(*specs, folder=Path("/")):
    return parse_bots(specs, SHIPPED, folder)


def test_shipped_bots_are_known_by_name_and_keep_their_options():
    """The first word decides; the rest goes to the bot.  No two have one label."""
    made = bots("rule", "rule", "rule-2=/bin/sh", "rule")
    assert [bot.label for bot in made] == ["rule", "rule-3", "rule-2", "rule-4"]
    assert bots("rule", "rule --tight 0.2") == (
        Participant("rule", BotKind.SHIPPED, ("rule",)),
        Participant("rule-2", BotKind.SHIPPED, ("rule", "--tight", "0.2")),
    )


@pytest.mark.parametrize(
    ("kind", "word", "ours"),
    [
        (BotKind.SHIPPED, "rule", True),
        (BotKind.SHIPPED, "plane-75-20", True),
        (BotKind.SHIPPED, "potbot:PotBot", False),
        (BotKind.SHIPPED, "stdio:./my_bot", False),
        (BotKind.SHIPPED, "pokerbots:my_bot", False),
        (BotKind.SHIPPED, "openspiel:some.module:Bot", False),
        (BotKind.COMMAND, "./my_bot", False),
    ],
)
def test_only_bots_of_the_roster_may_take_long_before_the_dealers_clock(kind, word, ours):
    """What a user's own code does first counts as it always did."""
    assert compiles(Participant("x", kind, (word,))) == ours


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("/bin/sh", "sh"),
        ("sh -c 'exit 1'", "exit-1"),
        ("python3 -u bots/my_bot.v2.py --x", "my_bot-v2"),
        ("sh /opt/startme.sh", "startme"),
        ("env A=1", "A-1"),
    ],
)
def test_programs_are_labelled_by_what_they_run(spec, label):
    """An interpreter says little; its script says who plays."""
    (bot,) = bots(spec)
    assert (bot.label, bot.kind) == (label, BotKind.COMMAND)


def test_label_prefix_names_the_bot():
    """LABEL= goes before any kind of bot."""
    made = bots("Slumbot_2pn=/bin/sh run", "me=listen:4000", "x.1-b=rule", "sh -c a=rule", "listen")
    assert [bot.label for bot in made] == ["Slumbot_2pn", "me", "x.1-b", "a-rule", "guest"]
    assert made[-1] == Participant("guest", BotKind.LISTEN, (), 0)  # any free port
    assert made[0].words == ("/bin/sh", "run")
    assert made[1] == Participant("me", BotKind.LISTEN, (), 4000)


@pytest.mark.parametrize(
    ("spec", "facts"),
    [
        ("", ["empty"]),
        ("a=", ["empty"]),
        ("'x", ["'x", "no closing quotation"]),
        ("listen:", ["listen:", "port"]),
        ("listen:99999", ["listen:99999", "port"]),
        ("alwayscall", ["alwayscall", "always-call"]),
        ("no-such-program-anywhere", ["no-such-program-anywhere", "arena agent --list"]),
        ("/nowhere/at/all", ["/nowhere/at/all", "program"]),
        ("-x=1", ["label '-x'"]),
        ("my bot=rule", ["label 'my bot'"]),
        ("a/b=/bin/sh", ["label 'a/b'"]),
        ("a+b=listen:4000", ["label 'a+b'"]),
        ("é=nothing", ["label 'é'"]),
        ("=rule", ["label ''"]),
        ("nothing --x=1", ["called nothing"]),
    ],
)
def test_what_cannot_be_started_is_refused(spec, facts):
    """Wrong arguments are found before anything is played."""
    with refused(MatchUsageError, *facts):
        bots(spec)


def test_programs_by_path_are_looked_for_in_the_given_folder(tmp_path):
    """A resumed match finds them from where it was started; they must be executable."""
    program = tmp_path / "mine.sh"
    program.write_text("#!/bin/sh\n")
    with refused(MatchUsageError, "mine.sh", "executed"):
        bots("./mine.sh", folder=tmp_path)
    program.chmod(0o755)
    assert bots("./mine.sh", folder=tmp_path)[0].words == ("./mine.sh",)
    with refused(MatchUsageError, "./mine.sh"):
        bots("./mine.sh", folder=tmp_path / "elsewhere")


@pytest.mark.parametrize(
    ("file", "spec", "words"),
    [
        ("mine.py", "mine.py", 'write "python mine.py"'),
        ("mine.py", "./mine.py", 'write "python ./mine.py", in quotes, or ./mine.py:CLASS'),
        ("mine", "mine", "write ./mine"),
        ("potbot.py", "potbot", "potbot.py is named potbot:CLASS"),
        ("mine.py", "./mine", "there is no program ./mine"),
    ],
)
def test_a_file_given_in_place_of_a_command_is_told_how_to_be_started(tmp_path, file, spec, words):
    """It is not said to be missing."""
    (tmp_path / file).write_text("")
    with pytest.raises(MatchUsageError, match=words):
        bots(spec, folder=tmp_path)


def test_roster_is_asked_only_when_a_name_could_be_in_it():
    """Starting a process to ask costs a moment."""
    assert possibly_shipped(["listen", "x=rule --a 1", "python b.py"]) == ("rule", "python")
    assert possibly_shipped(["listen:5", "./a b", "/bin/sh -c rule"]) == ()


def test_launch_commands():
    """Programs get host and port; shipped bots also game and the dealer's limits."""
    game = Path("/m/g.game")
    shipped = Participant("r", BotKind.SHIPPED, ("rule", "--tight", "1"))
    limits = MatchLimits(t_response=900, t_hand=-1, reconnect=2.5, invalid="fold")
    assert launch_command(shipped, "h", 5, game=game, limits=limits) == [
        *(sys.executable, "-P", "-m", "agents", "rule", "h", "5", "--game", "/m/g.game"),
        *("--reconnect", "2.5", "--t_response", "900", "--t_hand", "-1"),
        *("--t_per_hand", "7000", "--tight", "1"),
    ]
    usual = launch_command(shipped, "h", 5, game=game, limits=MatchLimits())
    assert usual[-10:-4] == ["--reconnect", "0", "--t_response", "600000", "--t_hand", "600000"]
    program = Participant("p", BotKind.COMMAND, ("./a", "b c"))
    assert launch_command(program, "h", 5, game=game, limits=limits) == ["./a", "b c", "h", "5"]
    with pytest.raises(ValueError, match="by itself"):
        launch_command(Participant("l", BotKind.LISTEN), "h", 5, game=game, limits=limits)


def test_what_others_must_not_read_is_in_the_environment():
    """Seed and token of every bot; the limits only of those that are not told them otherwise."""
    limits = MatchLimits(t_hand=-1)
    shipped = Participant("r", BotKind.SHIPPED, ("rule",))
    secret = {"ARENA_BOT_SEED": "3", "ARENA_SEAT_TOKEN": "abc"}
    assert bot_environment(shipped, 3, "abc", limits) == secret
    program = Participant("p", BotKind.COMMAND, ("./a",))
    assert bot_environment(program, 4, "", limits) == {
        "ARENA_BOT_SEED": "4",
        "ARENA_SEAT_TOKEN": "",
        "ARENA_T_RESPONSE": "600000",
        "ARENA_T_HAND": "-1",
        "ARENA_T_PER_HAND": "7000",
    }


STDIO = ("stdio:./mine --x=1", "stdio:sh mine.sh", "stdio:./mine", "stdio:", "stdio:./none")


@pytest.fixture
def program(tmp_path):
    """The folder of a program that can be executed, and of a file that cannot."""
    (tmp_path / "mine").write_text("#!/bin/sh\n")
    (tmp_path / "mine").chmod(0o755)
    (tmp_path / "mine.py").write_text("")
    return tmp_path


def test_a_program_on_standard_streams_is_one_word_of_a_shipped_bot(program):
    """With its arguments, equal signs and all; a label may stand before it."""
    specs = (STDIO[0], f"me={STDIO[1]}", f"  {STDIO[2]} ")
    made = parse_bots(specs, STDIO, program)
    assert made == (
        Participant("mine", BotKind.SHIPPED, ("stdio:./mine --x=1",)),
        Participant("me", BotKind.SHIPPED, ("stdio:sh mine.sh",)),
        Participant("mine-2", BotKind.SHIPPED, ("stdio:./mine",)),
    )
    assert possibly_shipped(specs) == STDIO[:3]
    shipped, other = bots("rule --tight 0.2", "/bin/sh run")  # which are checked as they are
    assert (strictly(shipped), strictly(other)) == (shipped, other)
    assert (program_words(shipped), program_words(other)) == ((), ("/bin/sh", "run"))
    assert program_words(made[0]) == ("./mine", "--x=1")
    assert strictly(made[1]).words == ("stdio:sh mine.sh", "--strict", "1")


@pytest.mark.parametrize(
    ("spec", "facts"),
    [
        ("stdio:", ["want a program"]),
        ("stdio:./none", ["stdio:./none", "no program"]),
        ("stdio:mine.py", ["python mine.py"]),
        ("stdio:'x", ["no closing quotation"]),
    ],
)
def test_a_program_on_standard_streams_that_cannot_be_started_is_refused(program, spec, facts):
    """Before anything is played."""
    with refused(MatchUsageError, *facts):
        parse_bots([spec], (spec,), program)


POKERBOTS = ("pokerbots:bots/ann", "pokerbots:bots/none", "pokerbots:bots/bad", "pokerbots:bots")


@pytest.fixture
def folders(tmp_path):
    """A folder with a bot of pokerbots competitions, and one with a bad commands.json."""
    for name, text in (("ann", '{"build": [], "run": ["./x"]}'), ("bad", "{}")):
        (tmp_path / "bots" / name).mkdir(parents=True)
        (tmp_path / "bots" / name / "commands.json").write_text(text)
    return tmp_path


def test_a_folder_of_the_pokerbots_competitions_is_a_shipped_bot_with_options(folders):
    """It has the folder's name, and no class of a module is meant."""
    specs = ("pokerbots:bots/ann/ --clock 30", "me=pokerbots:bots/ann")
    names = ("pokerbots:bots/ann/", "pokerbots:bots/ann")
    assert possibly_shipped(specs) == names
    made = parse_bots(specs, names, folders)
    assert made == (
        Participant("ann", BotKind.SHIPPED, ("pokerbots:bots/ann/", "--clock", "30")),
        Participant("me", BotKind.SHIPPED, ("pokerbots:bots/ann",)),
    )
    assert program_words(made[0]) == ("bots/ann/", "--clock", "30")
    assert strictly(made[1]).words == ("pokerbots:bots/ann", "--strict", "1")
    assert not CLASS_PATTERN.fullmatch("pokerbots:ann")


@pytest.mark.parametrize(
    ("spec", "facts"),
    [
        ("pokerbots:", ["want a folder"]),
        ("pokerbots:bots/none", ["pokerbots:bots/none", "no folder"]),
        ("pokerbots:bots/bad", ["commands.json", '"build"']),
        ("pokerbots:bots", ["commands.json", "No such file"]),
    ],
)
def test_a_folder_without_a_bot_is_refused(folders, spec, facts):
    """Before anything is played."""
    with refused(MatchUsageError, *facts):
        parse_bots([spec], POKERBOTS, folders)
