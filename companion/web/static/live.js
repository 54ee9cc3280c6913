// Listens to the table. The stream only says that something changed; the page then fetches its own address
// again and takes over the parts marked data-live.
import { morph } from "./morph.js";
import { announce, phrase } from "./phrases.js";
import { refreshSheet } from "./sheet.js";

const PATIENCE = 1500; // milliseconds before a broken connection is worth a word
const LOOK_AGAIN = 10000; // without a stream (too many phones) the page looks by itself

const body = document.body;
let source = null;
let timer = null;
let silence = null;
let running = null;

export function listen() {
  if (!body.dataset.stream) return;
  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : wake()));
  addEventListener("pageshow", (event) => event.persisted && wake());
  addEventListener("online", wake);
  addEventListener("offline", lost);
  addEventListener("pagehide", stop);
  start();
}

function start() {
  stop();
  if (!body.dataset.stream) return; // a page outside of games, which looked because something got lost
  source = new EventSource(`${body.dataset.stream}?seen=${body.dataset.version}`);
  source.onopen = found;
  source.onmessage = (event) => {
    found();
    if (Number(event.data) > Number(body.dataset.version)) refresh();
  };
  source.onerror = () => {
    silence ??= setTimeout(lost, PATIENCE);
    if (source?.readyState === EventSource.CLOSED) timer = setTimeout(lookAgain, 2000);
  };
}

function stop() {
  source?.close();
  source = null;
  clearTimeout(timer);
  clearTimeout(silence);
  silence = null;
}

// Something that was sent did not get through, whatever the stream says: it may be the last to notice.
// Whoever waits for "companion:connected" hears it once the table has been reached again.
export function miss(pause) {
  lost();
  clearTimeout(timer);
  timer = setTimeout(wake, pause);
}

// A phone that slept has missed things: look first, then listen.
async function wake() {
  if (await refresh()) start();
  else {
    lost();
    clearTimeout(timer);
    timer = setTimeout(wake, 2000);
  }
}

async function lookAgain() {
  const arrived = await refresh();
  if (!arrived) lost();
  clearTimeout(timer);
  timer = setTimeout(arrived ? start : lookAgain, arrived ? LOOK_AGAIN : 2000);
}

function lost() {
  const notice = document.getElementById("offline");
  if (notice?.hidden) announce(phrase("offline"));
  if (notice) notice.hidden = false;
  body.classList.add("is-offline");
}

function found() {
  clearTimeout(silence);
  silence = null;
  const notice = document.getElementById("offline");
  const wasLost = notice && !notice.hidden;
  if (notice) notice.hidden = true;
  body.classList.remove("is-offline");
  if (!wasLost) return;
  announce(phrase("back"));
  document.dispatchEvent(new CustomEvent("companion:connected"));
}

// True when the page of now has arrived. Calls while one is under way share it and one more after it.
export function refresh() {
  if (running) return (running.again ??= running.then(() => refresh()));
  const now = fetchParts().finally(() => (running = null));
  running = now;
  return now;
}

async function fetchParts() {
  let fresh;
  try {
    const response = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
    if (response.status === 403 || response.status === 404) location.reload();
    if (!response.ok) return false;
    fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  } catch {
    return false;
  }
  found();
  for (const name of ["version", "number"]) if (name in fresh.body.dataset) body.dataset[name] = fresh.body.dataset[name];
  const ids = [];
  for (const part of document.querySelectorAll("[data-live][id]")) {
    if (part.closest("#sheet")) continue;
    const newer = fresh.getElementById(part.id);
    if (!newer) part.replaceChildren();
    else if (newer.innerHTML !== part.innerHTML) morph(part, newer);
    ids.push(part.id);
  }
  await refreshSheet();
  document.dispatchEvent(new CustomEvent("companion:refreshed", { detail: { ids } }));
  return true;
}
