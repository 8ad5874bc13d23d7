"""The statistical modeller: counts what an opponent does, infers what it holds, and exploits it.

Sources: Papp, "Dealing with imperfect information in poker", MSc thesis, University of Alberta
1998; Billings, Papp, Schaeffer, Szafron, "Opponent modeling in poker", AAAI 1998; and a patent on
statistical opponent modelling, "the patent" in these modules.  It was read in a copy without number
and names (docs/sources.md), so what is taken from it is repeated where it is used.
"""
