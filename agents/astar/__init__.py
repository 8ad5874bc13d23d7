"""A*: evolved counter-strategies, blended by how similar the opponent is to those they counter.

Source: Zhang, Li, Wu, Zang, Xu, Xing, "An opponent modeling and strategy integration framework for
Texas hold'em AI", Acta Automatica Sinica 48(4), 2022, whose tables and formulas are lost.  Its
ancestor, and what the article leaves open: Li, Miikkulainen, "Evolving adaptive LSTM poker players
for effective opponent exploitation", AAAI workshop 2017.
"""
