// The marks of a map by keyboard: one stop for the Tab key, arrows go on from there. Without this script every
// mark is a stop.

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function rove(svg) {
  const marks = [...svg.querySelectorAll("a")];
  const current = marks.find((mark) => mark.getAttribute("tabindex") === "0") || marks[0];
  for (const mark of marks) mark.setAttribute("tabindex", mark === current ? "0" : "-1");
  svg.onkeydown = go;
}

function go(event) {
  const step = STEPS[event.key], here = event.target.closest("a");
  const next = step && here && nearest(event.currentTarget, here, step);
  if (!next) return;
  event.preventDefault();
  here.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}

/** The next mark in the direction of an arrow: near, and not far off to the side. */
function nearest(svg, here, [x, y]) {
  const from = centre(here);
  let best = null, least = Infinity;
  for (const other of svg.querySelectorAll("a")) {
    if (other === here) continue;
    const to = centre(other);
    const along = (to[0] - from[0]) * x + (to[1] - from[1]) * y;
    const aside = Math.abs((to[0] - from[0]) * y) + Math.abs((to[1] - from[1]) * x);
    if (along <= 2 || aside > along * 1.5) continue;
    const far = along + aside * 2;
    if (far < least) { least = far; best = other; }
  }
  return best;
}

function centre(element) {
  const rect = element.getBoundingClientRect();
  return [rect.left + rect.width / 2, rect.top + rect.height / 2];
}
