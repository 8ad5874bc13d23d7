"""`arena connect ... -- mcp:`: an assistant plays by tools of the Model Context Protocol.

The assistant's program starts this one, and both speak over standard input and output.  The
protocol is the package mcp's, an extra of ours, imported where it is asked for and not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from dealer.relay.assistant_matches import AssistantMatches
from engine.console.command import WrongArguments

if TYPE_CHECKING:
    from dealer.relay.relay import MatchWish
    from dealer.relay.server_calls import Server

EXTRA: Final = "mcp"
_INSTRUCTIONS: Final = (
    "Poker matches of two players at an arena server. Ask for a match, then wait for decisions and "
    "act in each, until the match is over; match_result says how it went. Few hands show nothing: "
    "look at the 95 % intervals."
)


def assistant_server(server: Server, wish: MatchWish) -> Any:
    """Return the server of the Model Context Protocol, with all tools.

    Raises:
        WrongArguments: the package is not installed.
    """
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ModuleNotFoundError as error:
        raise WrongArguments(
            f"mcp: needs the package mcp, version 2.3 or later: pip install 'acpc-arena[{EXTRA}]'"
        ) from error
    matches = AssistantMatches(server, wish, ToolError)
    tools = MCPServer("arena", instructions=_INSTRUCTIONS, log_level="WARNING")
    for tool in (
        matches.list_house_bots,
        matches.ask_for_match,
        matches.wait_for_decision,
        matches.act,
        matches.match_result,
        matches.leave_match,
    ):
        tools.tool()(tool)
    return tools


def serve_assistant(server: Server, wish: MatchWish) -> int:
    """Serve tools over standard input and output until the other end closes; return the exit code.

    Raises:
        WrongArguments: see `assistant_server`.
    """
    assistant_server(server, wish).run("stdio")
    return 0
