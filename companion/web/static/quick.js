// A quick score: the photo is read as soon as it is chosen, while the hands are still being typed.
import { fail } from "./forms.js";
import { scaled, stage, upload } from "./photo.js";
import { phrase } from "./phrases.js";

const form = document.getElementById("quick-form");
const submit = document.querySelector(`button[form="${form?.id}"]`);
const picker = form?.elements.photo;

picker?.addEventListener("change", async () => {
  const [file] = picker.files;
  if (!file) return;
  fail(form, "");
  say("");
  busy(true);
  try {
    stage(form, phrase("scaling"), null);
    const data = new FormData(form);
    data.set("photo", await scaled(file), "photo.jpg");
    fill(await upload(form, form.dataset.read, data));
  } catch (error) {
    fail(form, error.message);
  } finally {
    picker.value = ""; // it has been sent, or is chosen again
    stage(form, "", null);
    busy(false);
  }
});
form?.addEventListener("submit", (event) => {
  if (submit.hasAttribute("aria-disabled")) return event.preventDefault();
  submit.textContent = phrase("reading");
  busy(true);
});
document.getElementById("result")?.scrollIntoView({ block: "start" });

// What the photo gave stands in the empty fields; what it did not give for sure is asked for.
function fill({ reading, said, fields, another }) {
  form.elements.reading.value = reading;
  for (const part of form.querySelectorAll("[data-doubts]")) part.remove(); // they were the other photo's
  picker.required = false;
  form.querySelector("[data-file-name]").textContent = another;
  for (const [name, { text, unread }] of Object.entries(fields)) {
    const field = form.elements[name];
    field.placeholder = text;
    field.classList.toggle("unread", unread);
    if (unread) field.closest("details")?.setAttribute("open", "");
  }
  say(said);
}

function say(words) {
  const place = form.querySelector("[data-said]");
  place.textContent = words;
  place.hidden = !words;
}

function busy(is) {
  submit.toggleAttribute("aria-disabled", is);
  if (is) submit.setAttribute("aria-disabled", "true");
  picker.closest(".button").classList.toggle("busy", is);
}
