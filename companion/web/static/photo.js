// A photo on its way: scaled down where that helps, and sent with its progress shown.
import { checkSize, told } from "./forms.js";
import { phrase } from "./phrases.js";

const LONGEST = 3000; // pixels: the reader works at less; a phone's 12 megapixels only take longer to send
const SMALL_ENOUGH = 2_500_000; // bytes: sent as it is

export async function scaled(file) {
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

// Resolves with the answer; an error has the sentence to show, and a status where the server refused.
export function upload(form, address, data) {
  return new Promise((done, failed) => {
    checkSize(data);
    const request = new XMLHttpRequest();
    request.open("POST", address);
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

export function stage(form, words, share) {
  const place = form.querySelector("[data-progress]");
  place.hidden = !words;
  place.querySelector("[data-stage]").textContent = words;
  const bar = place.querySelector("progress");
  if (share === null) bar.removeAttribute("value");
  else bar.value = share;
}
