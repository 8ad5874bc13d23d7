"""Small games with known values, as trees."""
