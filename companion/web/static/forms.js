// Forms marked data-send are sent without leaving the page. What was typed stays until it has arrived.
import { refresh } from "./live.js";
import { announce, phrase } from "./phrases.js";
import { close, isInSheet } from "./sheet.js";

const MOST = 32 * 1024 * 1024; // bytes: the server hangs up on more, and what it says of it may get lost

export function sendForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-send]")) return;
    event.preventDefault();
    if (form.dataset.ask && !confirm(form.dataset.ask)) return;
    if (!form.dataset.busy) send(form, event.submitter);
  });
  for (const form of document.querySelectorAll("form[data-remember]")) remember(form);
}

async function send(form, button) {
  form.dataset.busy = "1";
  button?.setAttribute("aria-disabled", "true");
  fail(form, "");
  try {
    const answer = await post(form.getAttribute("action") ?? location.href, new FormData(form, button));
    forget(form);
    await follow(form, answer.next);
  } catch (error) {
    fail(form, error.message);
    if (error.status === 409) await catchUp(form);
    if (!error.status) form.dispatchEvent(new CustomEvent("companion:lost", { bubbles: true, detail: { button } }));
  } finally {
    delete form.dataset.busy;
    button?.removeAttribute("aria-disabled");
  }
}

// Somebody was faster: this form now stands for the table as it is, and may be sent again by whoever looked.
async function catchUp(form) {
  await refresh();
  if (form.elements.expected) form.elements.expected.value = document.body.dataset.number;
}

async function post(address, data) {
  const hasFile = [...data.values()].some((value) => value instanceof File);
  checkSize(data);
  let response;
  try {
    response = await fetch(address, {
      method: "POST",
      body: hasFile ? data : new URLSearchParams(data),
      headers: { "X-Send": "1", Accept: "application/json" },
    });
  } catch {
    throw new Error(phrase("failed"));
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw Object.assign(new Error(told(answer)), { status: response.status });
}

export function checkSize(data) {
  const size = [...data.values()].reduce((sum, value) => sum + (value.size ?? 0), 0);
  if (size > MOST) throw Object.assign(new Error(phrase("large")), { status: 413 });
}

export function told(answer) {
  return [answer.sentence ?? phrase("failed"), ...(answer.problems ?? [])].join(" ");
}

async function follow(form, next) {
  const stays = form.hasAttribute("data-stay");
  const elsewhere = next && new URL(next, location.href).pathname !== location.pathname;
  if (elsewhere && !stays && !isInSheet(form)) return location.assign(next);
  if (!stays && isInSheet(form)) close();
  await refresh();
  announce(phrase("changed"));
  if (!form.isConnected) scrollTo({ top: 0 }); // it is done with and gone: what comes next stands at the top
}

export function fail(form, words) {
  const place = form.querySelector(".form-error");
  if (!place) return;
  place.textContent = words;
  place.hidden = !words;
  if (words) place.scrollIntoView({ block: "nearest" });
}

// Text that somebody typed survives a reload, a phone that fell asleep, a lost connection.
function remember(form) {
  const place = `typed:${form.dataset.remember}:${location.pathname}`;
  const saved = isAnswer(form) ? {} : JSON.parse(sessionStorage.getItem(place) ?? "{}");
  for (const field of form.elements) {
    if (!(field.name in saved) || !isTyped(field) || isTouched(field)) continue;
    if (field.type === "checkbox" || field.type === "radio") field.checked = saved[field.name].includes(field.value);
    else field.value = saved[field.name][0] ?? "";
  }
  const keep = () => {
    const typed = {};
    for (const field of form.elements) if (field.name && isTyped(field)) typed[field.name] ??= [];
    for (const [name, value] of new FormData(form)) if (typed[name]) typed[name].push(value);
    sessionStorage.setItem(place, JSON.stringify(typed));
  };
  form.addEventListener("input", keep);
  if (isAnswer(form) || [...form.elements].some(isTouched)) keep();
}

// The page shows what was sent with it; only if it is loaded again, something newer may have been typed.
function isAnswer(form) {
  return "answered" in form.dataset && performance.getEntriesByType("navigation")[0]?.type === "navigate";
}

// Somebody was faster than this script.
function isTouched(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  return field.defaultValue !== undefined && field.value !== field.defaultValue;
}

function isTyped(field) {
  return field.type !== "hidden" && field.type !== "file";
}

function forget(form) {
  if (form.dataset.remember) sessionStorage.removeItem(`typed:${form.dataset.remember}:${location.pathname}`);
}
