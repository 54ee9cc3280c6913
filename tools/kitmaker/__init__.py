"""Draws invented Castelli-like sets and photographs them, with labels, for designing and judging the vision.

Nothing in `companion` imports this. It writes the kit format: kit.json, setup/ and games/ with a JSON label
beside each photo. Everything about a set follows from its seed.
"""
