// The final sheet as a PNG, and its link to the clipboard.

const SCALE = 1; // the picture is drawn 1080 wide, what messengers show in full

async function png(address) {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth * SCALE;
  canvas.height = picture.naturalHeight * SCALE;
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function share() {
  const source = document.getElementById("share-svg");
  const blob = await png(source.href);
  const file = new File([blob], source.dataset.name, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file] });
      return;
    } catch (refused) {
      if (refused.name === "AbortError") return;
    }
  }
  save(blob, source.dataset.name);
}

async function write(text, beside) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // a plain http page, as on most tables, has no clipboard: the old way still works there,
  // with a field inside the open dialog: the focus cannot leave it
  const field = beside.appendChild(Object.assign(document.createElement("textarea"), { value: text }));
  field.select();
  document.execCommand("copy");
  field.remove();
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await write(button.dataset.copy, button.parentElement);
  button.textContent = button.dataset.done;
});

function start() {
  const picture = document.getElementById("share-png");
  if (picture) { picture.hidden = false; picture.onclick = share; }
}

start();
document.addEventListener("companion:refreshed", start);
