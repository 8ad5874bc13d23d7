"""What `arena dealer --help` prints."""

from typing import Final

USAGE: Final = """\
usage: arena dealer MATCH GAMEDEF HANDS SEED NAME... [options]

Deals HANDS hands of the game in the file GAMEDEF (or of a built-in game: see `arena games`) with
the random number SEED.  Agents connect over TCP and speak the ACPC protocol 2.0.0.  Prints the
ports, one per NAME, then the score.  Writes MATCH.log.

Options of the original dealer, which may stand anywhere:
  -f                   fixed seats: seat i is position i in every hand
  -l / -L              no log / log to MATCH.log (default)
  -t / -T              no transaction file (default) / transaction file MATCH.tlog
  -a                   append to both files; with -T resume the match in MATCH.tlog
  -p PORT,PORT,...     ports in seat order; 0 or none: any free port
  -q                   only errors, warnings and the score on stderr
  --t_response MS      longest single response (600000); negative: no limit
  --t_hand MS          longest time of a seat in one hand (600000); negative: no limit
  --t_per_hand MS      average time of a seat per hand, over the match (7000); negative: no limit
  --start_timeout MS   longest wait for all seats to connect; negative: no limit (default)

Further options:
  --listen ADDRESS     listen on this address (127.0.0.1; 0.0.0.0 is every IPv4 interface)
  --reconnect SECONDS  keep a lost seat's port open; it may come back within SECONDS
                       (not while its old connection lives, unless it says its token, see below)
  --seat-limit S:OPTION=MS
                       a time limit of seat S alone, such as 2:t_response=500; give it again for
                       others
  --invalid MODE       what an unreadable or illegal action becomes: fix (default: the nearest
                       legal raise, else a call), call, fold (where legal), forfeit (ends the match)
  --deals FILE         play the deals of this file (docs/playing.md); SEED draws what it leaves open
  --first-deal N       deals of that file before the first one that is played (0)
  --events FILE        structured log, one JSON object a line, with the fate of every reply
  --summary FILE       how the match ended, as JSON
  --waits FD           keep the open file FD up to date on who is waited for, as JSON
  --lane MODE          auto (default: compiled code plays the ordinary turns of a match once this
                       machine has it, docs/lane.md), off, on (compiled first where need be);
                       "python -m dealer.lane.compiling" compiles it at any time
  --serve N            play N matches side by side in this process: MATCH.i with the seed SEED+i for
                       i from 0 to N-1; prints a line of ports for each, in order, and the score
                       of each when it ends as "MATCH.i SCORE:..." (docs/dealer.md)
  --live PORT          show the match in the browser, with the cards that all players saw (PORT 0:
                       any that is free); prints the link on stderr; writes MATCH.tlog, as -T does
  --ending-codes       exit 3 timeout, 4 disconnect, 5 malformed, 6 illegal, 130 interrupted;
                       without it every error exits 1, as the original does
  --help               this text

In the environment:
  ARENA_SEAT_TOKENS    T1,T2,... in seat order, each may be empty: to a seat with a token only an
                       agent may connect whose first line is "VERSION:2.0.0 TOKEN"
  ARENA_LANE           MODE where there is no --lane
  SEED as env:NAME     is the variable NAME, so that no list of processes shows the seed
"""
