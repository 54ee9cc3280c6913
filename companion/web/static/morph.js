// Makes one piece of a page look like its newer version by changing as little as possible: nodes stay, and
// with them the focus, typed text, an open <details>, the scroll position and the zoom of a map.

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export function morph(from, to) {
  if (isOwn(from)) return;
  syncAttributes(from, to);
  syncChildren(from, to);
}

// What scripts write themselves: progress, error sentences.
function isOwn(element) {
  return element.matches?.("[data-own], .form-error");
}

function syncAttributes(from, to) {
  const kept = new Set((from.getAttribute("data-keep") ?? "").split(" "));
  if (from.matches("details, dialog")) kept.add("open");
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !kept.has(name)) from.removeAttribute(name);
  }
  for (const { name, value } of [...to.attributes]) {
    if (!kept.has(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
}

function syncChildren(from, to) {
  const byId = new Map([...from.children].filter((child) => child.id).map((child) => [child.id, child]));
  let here = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const known = wanted.id ? byId.get(wanted.id) : here && !here.id && isSameKind(here, wanted) ? here : null;
    if (!known) {
      from.insertBefore(document.importNode(wanted, true), here);
      continue;
    }
    if (known !== here) from.insertBefore(known, here);
    else here = here.nextSibling;
    if (known.nodeType === Node.ELEMENT_NODE) morph(known, wanted);
    else if (known.data !== wanted.data) setText(known, wanted.data);
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

function isSameKind(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName && !other.id;
}

function setText(node, text) {
  const counter = node.parentElement?.closest("[data-count]");
  const [before, after] = [Number(node.data), Number(text)];
  if (!counter || calm.matches || !Number.isFinite(before) || !Number.isFinite(after)) {
    node.data = text;
    return;
  }
  counter.closest("[id]")?.classList.add("washed");
  const started = performance.now();
  const step = (now) => {
    const share = Math.min(1, (now - started) / 500);
    node.data = String(Math.round(before + (after - before) * share));
    if (share < 1) requestAnimationFrame(step);
    else node.data = text;
  };
  requestAnimationFrame(step);
}
