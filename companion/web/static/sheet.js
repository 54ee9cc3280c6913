// Links marked data-sheet open in a sheet over the page; without scripts they are pages of their own.
import { morph } from "./morph.js";

const sheet = document.getElementById("sheet");
const content = document.getElementById("sheet-body");

export function openSheets() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-sheet]");
    if (link && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      open(link.getAttribute("href")); // not .href: that of a link in a drawing is no string
    } else if (event.target === sheet || event.target.closest("[data-close]")?.closest("#sheet")) {
      close();
    }
  });
  // the phone's back button closes the sheet and stays on the page
  sheet?.addEventListener("close", () => history.state?.sheet && history.back());
  addEventListener("popstate", () => sheet?.open && sheet.close());
}

export async function open(address) {
  const page = await load(address);
  if (page === null) return location.assign(address);
  content.innerHTML = page;
  sheet.dataset.address = address;
  content.scrollTop = 0;
  if (!sheet.open) {
    history.pushState({ sheet: true }, "");
    sheet.showModal();
  }
  content.focus();
  document.dispatchEvent(new CustomEvent("companion:sheet", { detail: { content } }));
}

export function close() {
  if (sheet?.open) sheet.close();
}

export function isInSheet(element) {
  return Boolean(sheet?.open && sheet.contains(element));
}

export async function refreshSheet() {
  if (!sheet?.open) return;
  const page = await load(sheet.dataset.address);
  if (page === null) return;
  const newer = document.createElement("div");
  newer.innerHTML = page;
  if (newer.querySelector("[data-error]")) return close(); // what it was about is gone
  for (const part of content.querySelectorAll("[data-live][id]")) {
    const fresh = newer.querySelector(`#${CSS.escape(part.id)}`);
    if (fresh) morph(part, fresh);
  }
}

async function load(address) {
  try {
    const response = await fetch(address, { headers: { "X-Sheet": "1", Accept: "text/html" }, cache: "no-store" });
    return await response.text();
  } catch {
    return null;
  }
}
