// The Scan button: a photo is scaled down where that helps, sent with its progress shown, and kept here until
// it has arrived.
import { fail, told } from "./forms.js";
import { refresh } from "./live.js";
import { phrase } from "./phrases.js";
import { offerCamera } from "./camera.js";

const LONGEST = 3000; // pixels: the reader works at less; a phone's 12 megapixels only take longer to send
const SMALL_ENOUGH = 2_500_000; // bytes: sent as it is

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
  stage(form, phrase("scaling"), null);
  const photo = await scaled(file);
  await send(form, { photo, key: crypto.randomUUID?.() ?? randomKey() });
}

function randomKey() {
  // plain http pages have no randomUUID
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function scaled(file) {
  if (file.size <= SMALL_ENOUGH && /^image\/(jpeg|png|webp)$/.test(file.type)) return file;
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const share = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * share);
    canvas.height = Math.round(picture.height * share);
    const brush = canvas.getContext("2d");
    brush.imageSmoothingQuality = "high";
    brush.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const smaller = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.92));
    return smaller && smaller.size < file.size ? smaller : file;
  } catch {
    return file; // the server says what is wrong with it
  }
}

async function send(form, sending) {
  waiting = sending;
  say("");
  fail(form, "");
  again(form, false);
  try {
    const answer = await upload(form, sending);
    waiting = null;
    await refresh();
    say(answer.said);
    document.getElementById("main").scrollIntoView({ block: "start" });
  } catch (error) {
    fail(form, error.message);
    again(form, !error.status);
    if (error.status) waiting = null;
  } finally {
    stage(form, "", null);
  }
}

function upload(form, { photo, key }) {
  return new Promise((done, failed) => {
    const data = new FormData();
    data.append("photo", photo, "photo.jpg");
    data.append("key", key);
    data.append("expected", form.elements.expected.value);
    const request = new XMLHttpRequest();
    request.open("POST", form.getAttribute("action"));
    request.setRequestHeader("X-Send", "1");
    request.setRequestHeader("Accept", "application/json");
    request.upload.onprogress = (event) => stage(form, phrase("uploading"), event.loaded / event.total);
    request.upload.onload = () => stage(form, phrase("reading"), null);
    request.onerror = request.onabort = () => failed(new Error(phrase("failed")));
    request.onload = () => {
      let answer = {};
      try {
        answer = JSON.parse(request.responseText);
      } catch {
        // the answer was no JSON: the general sentence has to do
      }
      if (request.status < 400) return done(answer);
      failed(Object.assign(new Error(told(answer)), { status: request.status }));
    };
    request.send(data);
  });
}

// Where the page looks as before, a sentence says so, until the next photo.
function say(words) {
  const place = document.querySelector("[data-scan-said]");
  if (!place) return;
  place.textContent = words ?? "";
  place.hidden = !words;
}

function stage(form, words, share) {
  const place = form.querySelector("[data-progress]");
  place.hidden = !words;
  place.querySelector("[data-stage]").textContent = words;
  const bar = place.querySelector("progress");
  if (share === null) bar.removeAttribute("value");
  else bar.value = share;
  for (const button of form.querySelectorAll(".scan-row .button")) button.classList.toggle("busy", Boolean(words));
}

function again(form, offered) {
  const button = form.querySelector("[data-again]");
  if (button) button.hidden = !offered;
}
