// The Scan button: a photo is sent, and kept here until it has arrived.
import { fail } from "./forms.js";
import { refresh } from "./live.js";
import { phrase } from "./phrases.js";
import { offerCamera } from "./camera.js";
import { scaled, stage, upload } from "./photo.js";

let waiting = null; // the photo that did not arrive, with its key: sent again it is still one photo

document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-scan]");
  if (!form || event.target.type !== "file" || !event.target.files.length) return;
  const [file] = event.target.files;
  event.target.value = "";
  scan(form, file);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-again]");
  if (button && waiting) send(button.form, waiting);
});
offerCamera((blob) => scan(document.querySelector("form[data-scan]"), blob));

export async function scan(form, file) {
  busy(form, phrase("scaling"), null);
  const photo = await scaled(file);
  return send(form, { photo, key: crypto.randomUUID?.() ?? randomKey() });
}

function randomKey() {
  // plain http pages have no randomUUID
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Resolves with a sentence about what came of it.
async function send(form, sending) {
  waiting = sending;
  say("");
  fail(form, "");
  again(form, false);
  try {
    const answer = await upload(form, form.getAttribute("action"), filled(form, sending));
    waiting = null;
    await refresh();
    say(answer.said);
    document.getElementById("main").scrollIntoView({ block: "start" });
    return answer.said || document.getElementById("proposal-title")?.textContent;
  } catch (error) {
    fail(form, error.message);
    again(form, !error.status);
    if (error.status) waiting = null;
    return error.message;
  } finally {
    busy(form, "", null);
  }
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
