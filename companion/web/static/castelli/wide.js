// A laptop or a television has room for the board beside the players: it is fetched from its own page.
import { morph } from "../morph.js";
import { rove } from "./arrows.js";
import { Wash } from "./wash.js";

const wide = matchMedia("(min-width: 1080px)");
let wash = null;
const place = document.getElementById("wide-board");

async function show() {
  if (!place || !wide.matches) return;
  const response = await fetch(place.dataset.src, { headers: { Accept: "text/html" }, cache: "no-store" }).catch(() => null);
  if (!response?.ok) return leave(); // without a connection the page says so already
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const newer = page.querySelector("#board-map > svg");
  if (!newer) return leave();
  if (place.firstElementChild) morph(place.firstElementChild, newer);
  else place.append(document.importNode(newer, true));
  place.hidden = false;
  rove(place.firstElementChild);
  if (wash) wash.again();
  else wash = new Wash();
}

// Its place is kept from the start, so that nothing jumps when it comes; it is given up where none comes.
function leave() {
  place.hidden = !place.firstElementChild;
}

show();
wide.addEventListener("change", show);
document.addEventListener("companion:refreshed", show);
