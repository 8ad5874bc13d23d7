"""Bets and raises of abstract games: menus, translation, betting trees, information sets."""
