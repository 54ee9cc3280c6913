// An area that has just been evaluated washes in its winner's colour; those that were so before just are.
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Wash {
  constructor() {
    this.known = evaluated();
  }

  again() {
    const now = evaluated();
    for (const [address, area] of now) {
      if (this.known.has(address) || calm.matches) continue;
      area.querySelectorAll("path")[1]?.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 900, easing: "ease-out" });
    }
    this.known = now;
  }
}

function evaluated() {
  return new Map([...document.querySelectorAll(".map .is-evaluated")].map((area) => [area.getAttribute("href"), area]));
}
