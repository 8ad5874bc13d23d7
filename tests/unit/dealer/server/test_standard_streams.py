"""The standard streams of one match among several."""

from dealer.server.standard_streams import StandardStreams


def test_every_line_of_a_labelled_stream_has_the_label(capfd):
    """What came without a line end from an agent gets one: somebody else speaks next."""
    streams = StandardStreams("m.1 ")
    streams.out("SCORE:1|-1:A|B\n")
    streams.err("one\ntwo\n")
    streams.err(b"FROM 1 at 2.0 cut \xff")
    StandardStreams().err("as it is")
    out, err = capfd.readouterr()
    assert out == "m.1 SCORE:1|-1:A|B\n"
    assert err == "m.1 one\nm.1 two\nm.1 FROM 1 at 2.0 cut \ufffd\nas it is"
