// The final sheet as a PNG, and the link to this page.

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

async function write(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // a plain http page, as on most tables, has no clipboard: the old way still works there
  const field = document.body.appendChild(Object.assign(document.createElement("textarea"), { value: text }));
  field.select();
  document.execCommand("copy");
  field.remove();
}

async function copy(button) {
  await write(location.origin + location.pathname + location.search);
  button.textContent = button.dataset.done;
}

function start() {
  const picture = document.getElementById("share-png");
  const link = document.getElementById("share-link");
  if (picture) { picture.hidden = false; picture.onclick = share; }
  if (link) { link.hidden = false; link.onclick = () => copy(link); }
}

start();
document.addEventListener("companion:refreshed", start);
