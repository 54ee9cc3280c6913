// Taps are sent one after another: a thumb is faster than the table, and none of them may get lost. One that did
// not arrive is sent again before those after it.
const AGAIN = 2000; // milliseconds until a tap that did not arrive is sent again
const LOOK = 40; // milliseconds after which it is looked whether the tap before has arrived

const waiting = [];
let timer = null;
let sending = false;

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (sending || !form.matches("form[data-send]")) return;
    press(event.submitter);
    if (!waiting.length && !document.querySelector("form[data-busy]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    waiting.push(tapOf(form, event.submitter));
    goOn(LOOK);
  },
  true,
);
document.addEventListener("companion:lost", (event) => {
  waiting.unshift(tapOf(event.target, event.detail.button));
  goOn(AGAIN);
});

function tapOf(form, button) {
  const typed = [...new FormData(form)].filter(([name]) => name !== "key");
  return { address: form.getAttribute("action"), id: form.id, value: button?.value, typed };
}

function goOn(pause) {
  timer ??= setTimeout(next, pause);
}

function next() {
  timer = null;
  if (document.querySelector("form[data-busy]")) return goOn(LOOK);
  const tap = waiting.shift();
  const form = tap && formOf(tap);
  if (form) {
    for (const [name, value] of tap.typed) if (form.elements[name]?.type === "hidden") form.elements[name].value = value;
    sending = true;
    form.requestSubmit(buttonOf(form, tap.value));
    sending = false;
  }
  if (waiting.length) goOn(LOOK);
}

// The page may have been refreshed since: the form with that button now, which has a fresh key.
function formOf(tap) {
  const forms = [...document.querySelectorAll("form[data-send]")];
  const same = forms.filter((form) => form.getAttribute("action") === tap.address && form.id === tap.id);
  return same.find((form) => !tap.value || buttonOf(form, tap.value));
}

function buttonOf(form, value) {
  return [...form.querySelectorAll("button")].find((button) => value && button.value === value);
}

// What was tapped shows it at once; the answer puts it right.
function press(button) {
  if (!button?.hasAttribute("aria-pressed")) return;
  for (const one of button.parentElement.children) {
    if (one.hasAttribute("aria-pressed")) one.setAttribute("aria-pressed", String(one === button));
  }
}
