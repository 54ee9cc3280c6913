"""How colours look by their name: the named colours of CSS, and everyday names of painted wood.

The everyday names (red, blue, rot, rosso, rood and so on) are not the full light of a screen, which no
game piece has, but the shades that paint has. A calibration knows better and is asked first.
"""

from __future__ import annotations

from collections.abc import Mapping

_HEX = """
aliceblue f0f8ff  amarillo f0c428  antiquewhite faebd7  aqua 00ffff  aquamarine 7fffd4  arancio e27a1e
arancione e27a1e  azul 1e56b0  azure f0ffff  beige f5f5dc  bianco f0f0ec  bisque ffe4c4  black 222022
blanc f0f0ec  blanchedalmond ffebcd  blau 1e56b0  blauw 1e56b0  bleu 1e56b0  blu 1e56b0  blue 1e56b0
blueviolet 8a2be2  braun 784828  brown 784828  bruin 784828  burlywood deb887  cadetblue 5f9ea0
chartreuse 7fff00  chocolate d2691e  coral ff7f50  cornflowerblue 6495ed  cornsilk fff8dc  crimson dc143c
cyan 00ffff  darkblue 00008b  darkcyan 008b8b  darkgoldenrod b8860b  darkgray a9a9a9  darkgreen 006400
darkgrey a9a9a9  darkkhaki bdb76b  darkmagenta 8b008b  darkolivegreen 556b2f  darkorange ff8c00
darkorchid 9932cc  darkred 8b0000  darksalmon e9967a  darkseagreen 8fbc8f  darkslateblue 483d8b
darkslategray 2f4f4f  darkslategrey 2f4f4f  darkturquoise 00ced1  darkviolet 9400d3  deeppink ff1493
deepskyblue 00bfff  dimgray 696969  dimgrey 696969  dodgerblue 1e90ff  firebrick b22222
floralwhite fffaf0  forestgreen 228b22  fuchsia ff00ff  gainsboro dcdcdc  geel f0c428  gelb f0c428
ghostwhite f8f8ff  giallo f0c428  gold ffd700  goldenrod daa520  grau 808080  gray 808080  green 26803e
greenyellow adff2f  grey 808080  grigio 808080  grijs 808080  groen 26803e  gruen 26803e  grün 26803e
honeydew f0fff0  hotpink ff69b4  indianred cd5c5c  indigo 4b0082  ivory fffff0  jaune f0c428  khaki f0e68c
lavender e6e6fa  lavenderblush fff0f5  lawngreen 7cfc00  lemonchiffon fffacd  lightblue add8e6
lightcoral f08080  lightcyan e0ffff  lightgoldenrodyellow fafad2  lightgray d3d3d3  lightgreen 90ee90
lightgrey d3d3d3  lightpink ffb6c1  lightsalmon ffa07a  lightseagreen 20b2aa  lightskyblue 87cefa
lightslategray 778899  lightslategrey 778899  lightsteelblue b0c4de  lightyellow ffffe0  lila 78328c
lime 00ff00  limegreen 32cd32  linen faf0e6  magenta ff00ff  maroon 800000  marron 784828  marrone 784828
mediumaquamarine 66cdaa  mediumblue 0000cd  mediumorchid ba55d3  mediumpurple 9370db
mediumseagreen 3cb371  mediumslateblue 7b68ee  mediumspringgreen 00fa9a  mediumturquoise 48d1cc
mediumvioletred c71585  midnightblue 191970  mintcream f5fffa  mistyrose ffe4e1  moccasin ffe4b5
navajowhite ffdead  navy 000080  nero 222022  noir 222022  oldlace fdf5e6  olive 808000  olivedrab 6b8e23
orange e27a1e  orangered ff4500  oranje e27a1e  orchid da70d6  paars 78328c  palegoldenrod eee8aa
palegreen 98fb98  paleturquoise afeeee  palevioletred db7093  papayawhip ffefd5  peachpuff ffdab9
peru cd853f  pink e278a0  plum dda0dd  powderblue b0e0e6  purple 78328c  rebeccapurple 663399  red c82028
rojo c82028  rood c82028  rosa e278a0  rosso c82028  rosybrown bc8f8f  rot c82028  rouge c82028
royalblue 4169e1  roze e278a0  saddlebrown 8b4513  salmon fa8072  sandybrown f4a460  schwarz 222022
seagreen 2e8b57  seashell fff5ee  sienna a0522d  silver c0c0c0  skyblue 87ceeb  slateblue 6a5acd
slategray 708090  slategrey 708090  snow fffafa  springgreen 00ff7f  steelblue 4682b4  tan d2b48c
teal 008080  thistle d8bfd8  tomato ff6347  turchese 1ea0a0  turkoois 1ea0a0  turquoise 1ea0a0
türkis 1ea0a0  verde 26803e  vert 26803e  viola 78328c  violet 78328c  violett 78328c  weiss f0f0ec
weiß f0f0ec  wheat f5deb3  white f0f0ec  whitesmoke f5f5f5  wit f0f0ec  yellow f0c428  yellowgreen 9acd32
zwart 222022
"""

_WORDS = _HEX.split()
NAMED: Mapping[str, tuple[int, int, int]] = {
    name: (int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16))
    for name, code in zip(_WORDS[::2], _WORDS[1::2], strict=True)
}
