"""Photographs made-up sets as tools/kitmaker does, but with real light: Blender traces its paths.

Slow (a minute a photo) and only for judging: nothing in `companion` imports this. Blender's `bpy` lives
in an environment of its own; `blender`, `bodies` and `materials` run there and know no game, the rest runs
beside kitmaker.
"""
