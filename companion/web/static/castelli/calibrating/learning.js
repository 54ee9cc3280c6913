// While something is being learnt the page looks how far it has got.
import { refresh } from "../../live.js";

const EVERY = 800; // milliseconds

async function look() {
  if (document.querySelector("[data-learning]")) await refresh();
  setTimeout(look, EVERY);
}

look();
