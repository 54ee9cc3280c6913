// Shows which photo was chosen, and that it is being read.
import { phrase } from "./phrases.js";

const form = document.getElementById("quick-form");
form?.addEventListener("change", (event) => {
  const name = event.target.files?.[0]?.name;
  if (name) form.querySelector("[data-file-name]").textContent = name;
});
form?.addEventListener("submit", () => {
  const button = document.querySelector(`button[form="${form.id}"]`);
  button.textContent = phrase("reading");
  button.setAttribute("aria-disabled", "true");
});
document.getElementById("result")?.scrollIntoView({ block: "start" });
