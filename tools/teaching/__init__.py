"""Teaches the network of companion/vision/covered.py what stands on a print, on sets that kitmaker draws."""
