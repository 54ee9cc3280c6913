// The live camera: a preview, a capture button, and "capture when still". Browsers give a page the camera over
// https and on the computer itself only; everywhere else the Scan button opens the phone's own camera.

const LOOK_EVERY = 200; // milliseconds
const STILL_FOR = 1200;
const STILL = 3; // mean difference of two small grey pictures, 0-255: below it is the noise of a webcam
const MOVED = 9; // above it somebody's hand is over the board

const dialog = document.getElementById("camera");
const video = dialog?.querySelector("video");
let stream = null;
let watching = null;

export function offerCamera(take) {
  if (!dialog || !navigator.mediaDevices?.getUserMedia) return;
  const show = () => {
    for (const button of document.querySelectorAll("[data-camera]")) button.hidden = false;
  };
  show();
  document.addEventListener("companion:refreshed", show);
  document.addEventListener("click", (event) => event.target.closest("[data-camera]") && open());
  dialog.addEventListener("close", stop);
  dialog.addEventListener("click", (event) => {
    if (event.target.closest("[data-close]")) dialog.close();
    if (event.target.closest("[data-capture]")) capture(take);
  });
  dialog.querySelector("[data-when-still]").addEventListener("change", (event) => {
    if (event.target.checked) watch(take);
    else unwatch();
  });
}

async function open() {
  dialog.showModal();
  say("");
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "environment", width: { ideal: 3840 }, height: { ideal: 2160 } },
    });
    video.srcObject = stream;
    await video.play();
    dialog.dataset.ready = "1";
  } catch {
    say(dialog.dataset.refused);
  }
}

function stop() {
  unwatch();
  dialog.querySelector("[data-when-still]").checked = false;
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  delete dialog.dataset.ready;
}

async function capture(take) {
  if (!stream) return;
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d").drawImage(video, 0, 0);
  const photo = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.93));
  if (watching === null) dialog.close();
  else say(dialog.dataset.taken);
  const told = await take(photo);
  if (watching !== null) say(told || dialog.dataset.taken); // the page behind the dialog is not seen
}

// Takes a photo once nothing has moved for a while, and the next one only after something moved again. While a
// question is open none is taken: a new photo would ask anew what somebody is just answering.
function watch(take) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [64, 48];
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  let before = null;
  let still = 0;
  let ready = true;
  say(dialog.dataset.waiting);
  watching = setInterval(() => {
    brush.drawImage(video, 0, 0, 64, 48);
    const now = grey(brush.getImageData(0, 0, 64, 48).data);
    const change = before ? difference(before, now) : Infinity;
    before = now;
    if (document.querySelector("#proposal .answers")) return say(question());
    if (change > MOVED) ready = true;
    still = change < STILL ? still + LOOK_EVERY : 0;
    if (ready && still >= STILL_FOR) {
      ready = false;
      capture(take);
    }
  }, LOOK_EVERY);
}

function question() {
  return document.getElementById("proposal-title").textContent;
}

function unwatch() {
  clearInterval(watching);
  watching = null;
  say("");
}

function grey(pixels) {
  return Float32Array.from({ length: pixels.length / 4 }, (_, at) => (pixels[at * 4] + pixels[at * 4 + 1] + pixels[at * 4 + 2]) / 3);
}

function difference(one, other) {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += Math.abs(one[at] - other[at]);
  return sum / one.length;
}

function say(words) {
  dialog.querySelector("[data-said]").textContent = words ?? "";
}
