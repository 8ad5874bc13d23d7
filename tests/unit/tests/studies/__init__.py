"""Tests of studies, and of what runs them."""
