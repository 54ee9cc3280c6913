// The few sentences that scripts say, in the page's language: the server writes them into the page.
const phrases = document.getElementById("phrases")?.dataset ?? {};

export function phrase(name) {
  return phrases[name] ?? "";
}

// Said to screen readers without moving the reader.
export function announce(words) {
  const speaker = document.getElementById("speaker");
  if (speaker && words) speaker.textContent = words;
}
