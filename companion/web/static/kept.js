// A photo that is on its way lies in the browser's own database until the table has answered: a reload,
// a closed page or an empty battery does not lose it. One a game: a later photo shows all that an earlier one did.
const NAME = "companion";
const SHELF = "photos";

function opened() {
  return new Promise((done, failed) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(SHELF);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
}

async function ask(mode, question) {
  let base;
  try {
    base = await opened();
    return await new Promise((done, failed) => {
      const shelf = base.transaction(SHELF, mode).objectStore(SHELF);
      const answer = question(shelf);
      shelf.transaction.oncomplete = () => done(answer.result);
      shelf.transaction.onabort = () => failed(shelf.transaction.error);
    });
  } catch {
    return undefined; // a private window may keep nothing: then the photo lives as long as its page
  } finally {
    base?.close();
  }
}

export const keep = (place, sending) => ask("readwrite", (shelf) => shelf.put(sending, place));
export const kept = (place) => ask("readonly", (shelf) => shelf.get(place));
export const forget = (place) => ask("readwrite", (shelf) => shelf.delete(place));
