// The grid under arrow keys: they press the buttons that are there for everybody.
const KEYS = { ArrowLeft: "across -1", ArrowRight: "across 1", ArrowUp: "down -1", ArrowDown: "down 1", "+": "pitch 1", "-": "pitch -1" };

document.addEventListener("keydown", (event) => {
  const picture = event.target.closest("[data-grid]");
  if (!picture || !KEYS[event.key]) return;
  event.preventDefault();
  document.querySelector(`#${picture.dataset.grid} [value="${KEYS[event.key]}"]`)?.click();
});
