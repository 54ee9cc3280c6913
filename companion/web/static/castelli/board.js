// The map under two fingers: zoom and move.
import { rove } from "./arrows.js";
import { Wash } from "./wash.js";

const MOST = 6; // times as near as the whole board

class View {
  constructor(svg) {
    this.svg = svg;
    this.whole = svg.dataset.whole ? svg.dataset.whole.split(" ").map(Number) : svg.getAttribute("viewBox").split(" ").map(Number);
    this.box = [...this.whole];
    this.fingers = new Map();
    this.moved = false;
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(name, (event) => this.up(event));
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("click", (event) => this.swallow(event), true);
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  get near() { return this.whole[2] / this.box[2]; }

  down(event) {
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size === 1) this.moved = false;
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    if (others.length) {
      const [other] = others;
      const scale = distance(now, other) / Math.max(1, distance(before, other));
      this.zoom(scale, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
      this.moved = true;
    } else if (this.near > 1.01) {
      if (distance(before, now) < 4 && !this.moved) return;
      const unit = this.unit();
      this.set(this.box[0] - (now[0] - before[0]) * unit, this.box[1] - (now[1] - before[1]) * unit, this.box[2]);
      this.moved = true;
    }
    this.fingers.set(event.pointerId, now);
  }

  up(event) { this.fingers.delete(event.pointerId); }

  swallow(event) {
    // a finger that moved the map did not mean to open what it lifted from
    if (this.moved) { event.preventDefault(); event.stopPropagation(); this.moved = false; }
  }

  wheel(event) {
    if (!event.ctrlKey && this.near <= 1.01 && event.deltaY > 0) return;
    if (!event.ctrlKey && !event.altKey) return; // plain wheel scrolls the page
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
  }

  unit() { return this.box[2] / this.svg.getBoundingClientRect().width; }

  zoom(by, clientX, clientY) {
    const rect = this.svg.getBoundingClientRect();
    const width = Math.min(this.whole[2], Math.max(this.whole[2] / MOST, this.box[2] / by));
    const across = (clientX - rect.left) / rect.width, down = (clientY - rect.top) / rect.height;
    const height = width * this.whole[3] / this.whole[2];
    this.set(this.box[0] + (this.box[2] - width) * across, this.box[1] + (this.box[3] - height) * down, width);
  }

  set(x, y, width) {
    const height = width * this.whole[3] / this.whole[2];
    const keep = (at, size, from, whole) => Math.min(from + whole - size, Math.max(from, at));
    this.box = [keep(x, width, this.whole[0], this.whole[2]), keep(y, height, this.whole[1], this.whole[3]), width, height];
    this.svg.dataset.whole = this.whole.join(" ");
    this.svg.setAttribute("viewBox", this.box.map((value) => value.toFixed(1)).join(" "));
    // the whole board leaves the finger to the page; a part of it is moved by it
    this.svg.style.touchAction = this.near <= 1.01 ? "" : "none";
    const out = document.getElementById("zoom-out");
    if (out) out.disabled = this.near <= 1.01; // hidden it would shift the map under the fingers
  }

  nearer() {
    const rect = this.svg.getBoundingClientRect();
    this.zoom(1.6, rect.left + rect.width / 2, rect.top + rect.height / 2);
  }

  reset() { this.set(this.whole[0], this.whole[1], this.whole[2]); }

  key(event) {
    if (event.key !== "+" && event.key !== "-") return;
    const rect = (event.target.closest("a") || this.svg).getBoundingClientRect();
    this.zoom(event.key === "+" ? 1.5 : 1 / 1.5, rect.left + rect.width / 2, rect.top + rect.height / 2);
  }
}

function distance(a, b) { return Math.hypot(a[0] - b[0], a[1] - b[1]); }

function start() {
  const svg = document.querySelector("svg.map[id='map'], svg.reading");
  if (!svg) return;
  svg.view ??= new View(svg);
  for (const name of ["zoom-in", "zoom-out"]) document.getElementById(name).hidden = false;
  rove(svg);
}

start();
const wash = new Wash();
document.addEventListener("companion:refreshed", () => {
  start();
  wash.again();
});
document.addEventListener("click", (event) => {
  const view = document.querySelector("svg.map[id='map'], svg.reading")?.view;
  if (event.target.closest("#zoom-in")) view?.nearer();
  if (event.target.closest("#zoom-out")) view?.reset();
});
