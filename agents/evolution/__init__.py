"""Evolving players: a population meets opponents, the best survive and have children.

Sources: Zhang, Li, Wu, Zang, Xu, Xing, "An opponent modeling and strategy integration framework for
Texas hold'em AI", Acta Automatica Sinica 48(4), 2022; Li, Miikkulainen, "Evolving adaptive LSTM
poker players for effective opponent exploitation", AAAI workshop 2017.
"""
