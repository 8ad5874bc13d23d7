"""The one way from a file to hands: logs in any format and packing, their lines, their games."""
