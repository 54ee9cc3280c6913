// The Scan button: a photo is sent, kept until it has arrived, and sent by itself when the connection is back.
import { fail } from "./forms.js";
import { forget, keep, kept } from "./kept.js";
import { miss, refresh } from "./live.js";
import { phrase } from "./phrases.js";
import { offerCamera } from "./camera.js";
import { scaled, stage, upload } from "./photo.js";

const STILL_NEWS = 10 * 60 * 1000; // milliseconds; an older photo is sent only when somebody says so
const SOON = 2000; // milliseconds until the table is looked for after a photo got lost; each time twice as long
const LATEST = 60000;

let waiting = null; // the photo that did not arrive, with its key: sent again it is still one photo
let underWay = false;
let pause = SOON;

document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-scan]");
  if (!form || event.target.type !== "file" || !event.target.files.length) return;
  const [file] = event.target.files;
  event.target.value = "";
  scan(form, file);
});
document.addEventListener("click", async (event) => {
  const form = event.target.closest("[data-again]")?.form;
  const sending = form && (await unsent(form));
  if (sending) send(form, sending);
});
offerCamera((blob) => scan(document.querySelector("form[data-scan]"), blob));

document.addEventListener("companion:connected", resume);
resume();

export async function scan(form, file) {
  busy(form, phrase("scaling"), null);
  const photo = await scaled(file);
  const place = placeOf(form);
  const sending = { photo, place, key: crypto.randomUUID?.() ?? randomKey(), at: Date.now(), number: tableNumber() };
  await keep(place, sending);
  return send(form, sending);
}

// A photo that has not arrived: at once where the table is still the one it shows, else when somebody says so.
// A page may have several forms, each for a photo of its own.
async function resume() {
  for (const form of document.querySelectorAll("form[data-scan]")) {
    const sending = underWay ? null : await unsent(form);
    if (!sending || underWay) continue;
    if (Date.now() - sending.at < STILL_NEWS && sending.number === tableNumber()) await send(form, sending);
    else {
      fail(form, form.dataset.kept);
      again(form, true);
    }
  }
}

async function unsent(form) {
  return waiting?.place === placeOf(form) ? waiting : kept(placeOf(form));
}

function placeOf(form) {
  return form.getAttribute("action");
}

function tableNumber() {
  return document.body.dataset.number;
}

function randomKey() {
  // plain http pages have no randomUUID
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Resolves with a sentence about what came of it.
async function send(form, sending) {
  waiting = sending;
  underWay = true;
  say("");
  fail(form, "");
  again(form, false);
  try {
    const answer = await upload(form, form.getAttribute("action"), filled(form, sending));
    settle(form);
    pause = SOON;
    await refresh();
    say(answer.said);
    document.getElementById("main").scrollIntoView({ block: "start" });
    return answer.said || document.getElementById("proposal-title")?.textContent;
  } catch (error) {
    const refused = error.status && error.status < 500; // by the table: the same photo would be refused again
    if (refused) settle(form);
    const words = error.status ? error.message : form.dataset.offline;
    fail(form, words);
    again(form, !refused);
    if (!error.status) {
      miss(pause);
      pause = Math.min(LATEST, 2 * pause);
    }
    return words;
  } finally {
    underWay = false;
    busy(form, "", null);
  }
}

function settle(form) {
  waiting = null;
  forget(placeOf(form));
}

function filled(form, { photo, key }) {
  const data = new FormData();
  data.append("photo", photo, "photo.jpg");
  data.append("key", key);
  data.append("expected", form.elements.expected.value);
  return data;
}

// Where the page looks as before, a sentence says so, until the next photo.
function say(words) {
  const place = document.querySelector("[data-scan-said]");
  if (!place) return;
  place.textContent = words ?? "";
  place.hidden = !words;
}

function busy(form, words, share) {
  stage(form, words, share);
  for (const button of form.querySelectorAll(".scan-row .button")) button.classList.toggle("busy", Boolean(words));
}

function again(form, offered) {
  const button = form.querySelector("[data-again]");
  if (button) button.hidden = !offered;
}
