// Pins on a picture: dragged with a finger under a magnifier, nudged with arrow keys or buttons, or set by a tap.
// Each move is sent at once by the form that the picture names.
import { announce } from "../../phrases.js";

const NEAR = 26; // css pixels: a finger this near to a pin means it
const LOUPE = 7; // the magnifier shows this part of the picture's width
const PAUSE = 350; // milliseconds after the last nudge

let loupe = null;
let held = null;
let timer = null;

function start() {
  for (const svg of document.querySelectorAll("svg[data-pins]")) {
    const nudges = svg.closest("[data-live]")?.querySelector("[data-nudges]");
    if (nudges) nudges.hidden = false;
    if (svg.dataset.ready) continue;
    svg.dataset.ready = "1";
    svg.setAttribute("data-keep", "data-ready");
    svg.addEventListener("pointerdown", (event) => press(svg, event));
    svg.addEventListener("pointermove", (event) => held?.svg === svg && move(event));
    svg.addEventListener("pointerup", (event) => held?.svg === svg && release(event));
    svg.addEventListener("pointercancel", () => held?.svg === svg && cancel());
    svg.addEventListener("keydown", (event) => key(svg, event));
    svg.addEventListener("focusin", (event) => choose(svg, event.target.closest(".pin")));
  }
}

function point(svg, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const box = svg.viewBox.baseVal;
  const keep = (value, from, size) => Math.min(from + size, Math.max(from, value));
  return [keep(at.x, box.x, box.width), keep(at.y, box.y, box.height)];
}

function place(pin) {
  const matrix = pin.transform.baseVal.consolidate().matrix;
  return [matrix.e, matrix.f];
}

function put(pin, [x, y]) {
  pin.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
  const outline = pin.ownerSVGElement.querySelector("[data-outline]");
  if (outline) outline.setAttribute("points", [...pin.ownerSVGElement.querySelectorAll(".pin")].map((one) => place(one).join(",")).join(" "));
}

function nearest(svg, at) {
  const reach = NEAR / svg.getScreenCTM().a;
  let best = null, least = reach;
  for (const pin of svg.querySelectorAll(".pin:not(.ghost)")) {
    const [x, y] = place(pin);
    const far = Math.hypot(x - at[0], y - at[1]);
    if (far < least) { least = far; best = pin; }
  }
  return best;
}

function press(svg, event) {
  if (event.button !== 0 || held) return;
  const at = point(svg, event);
  const pin = nearest(svg, at);
  if (!pin && !svg.dataset.tap) return;
  const from = pin ? place(pin) : at;
  held = { svg, pin, from, grip: [from[0] - at[0], from[1] - at[1]], moved: false, id: event.pointerId };
  if (pin) {
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
    pin.focus({ preventScroll: true });
  }
  magnify(from, event);
}

function move(event) {
  const at = point(held.svg, event);
  const to = [at[0] + held.grip[0], at[1] + held.grip[1]];
  // where a tap means something a finger may tremble; elsewhere half a pixel on the screen is meant
  const still = held.svg.dataset.tap ? 3 : 0.4;
  held.moved ||= Math.hypot(to[0] - held.from[0], to[1] - held.from[1]) * held.svg.getScreenCTM().a > still;
  if (held.pin && held.moved) put(held.pin, to);
  magnify(to, event);
}

function release(event) {
  const { svg, pin, grip, moved, from } = held;
  const at = point(svg, event);
  const to = pin ? [at[0] + grip[0], at[1] + grip[1]] : at;
  cancel();
  if (pin && moved) send(svg, pin.dataset.pin, to);
  else if (pin && svg.dataset.tap === "new") send(svg, "new", from); // a tap on a site takes it away
  else if (!pin && svg.dataset.tap === "new") send(svg, "new", to);
  else if (!pin && svg.dataset.tap === "pair") pair(svg, to);
}

function cancel() {
  held = null;
  loupe?.remove();
  loupe = null;
}

function pair(svg, to) {
  const form = document.getElementById(svg.dataset.form);
  const first = form.elements["first-x"];
  if (!first.value) {
    first.value = to[0].toFixed(2);
    form.elements["first-y"].value = to[1].toFixed(2);
    ghost(svg, to);
    const said = svg.closest("[data-live]").querySelector("[data-second]");
    said.hidden = false;
    said.parentElement.querySelector("[data-first]").hidden = true;
    announce(said.textContent);
  } else send(svg, "", to);
}

function ghost(svg, [x, y]) {
  const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  circle.setAttribute("class", "ghost");
  circle.setAttribute("cx", x);
  circle.setAttribute("cy", y);
  circle.setAttribute("r", 7 / svg.getScreenCTM().a);
  svg.append(circle);
}

function send(svg, name, [x, y]) {
  const form = document.getElementById(svg.dataset.form);
  form.elements.pin.value = name;
  form.elements.x.value = x.toFixed(2);
  form.elements.y.value = y.toFixed(2);
  form.requestSubmit();
}

// What is under the finger, larger, in the corner that the finger leaves free.
function magnify([x, y], event) {
  const { svg } = held;
  if (!loupe) {
    loupe = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    loupe.setAttribute("class", "loupe");
    loupe.setAttribute("aria-hidden", "true");
    loupe.append(svg.querySelector("image").cloneNode());
    const cross = document.createElementNS("http://www.w3.org/2000/svg", "path");
    cross.setAttribute("class", "cross");
    loupe.append(cross);
    svg.parentElement.append(loupe);
  }
  const box = svg.viewBox.baseVal;
  const size = Math.max(box.width, box.height) / LOUPE;
  loupe.setAttribute("viewBox", `${x - size / 2} ${y - size / 2} ${size} ${size}`);
  loupe.querySelector("path").setAttribute("d", `M${x - size / 2} ${y}h${size}M${x} ${y - size / 2}v${size}`);
  const rect = svg.getBoundingClientRect();
  loupe.classList.toggle("right", event.clientX < rect.left + rect.width / 2);
}

function key(svg, event) {
  const pin = event.target.closest(".pin");
  if (!pin) return;
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (step) {
    event.preventDefault();
    nudge(svg, pin, step, event.shiftKey ? 10 : 1);
  } else if (event.key === "Delete" && svg.dataset.tap === "new") send(svg, "new", place(pin));
}

function nudge(svg, pin, [across, down], times) {
  const unit = (times * svg.viewBox.baseVal.width) / 1000;
  const [x, y] = place(pin);
  put(pin, [x + across * unit, y + down * unit]);
  clearTimeout(timer);
  timer = setTimeout(() => send(svg, pin.dataset.pin, place(pin)), PAUSE);
}

function choose(svg, pin) {
  const choice = svg.closest("[data-live]")?.querySelector("[data-pin-choice]");
  if (pin && choice) choice.value = pin.dataset.pin;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-nudge]");
  if (!button) return;
  const part = button.closest("[data-live]");
  const svg = part.querySelector("svg[data-pins]");
  const pin = svg.querySelector(`.pin[data-pin="${CSS.escape(part.querySelector("[data-pin-choice]").value)}"]`);
  if (pin) nudge(svg, pin, button.dataset.nudge.split(" ").map(Number), 1);
});
document.addEventListener("companion:refreshed", start);
start();
