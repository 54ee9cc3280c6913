// Keeps the screen on while a game is shown. Browsers allow that over https and on the computer itself only.
export function keepAwake() {
  if (!("wakeLock" in navigator) || !document.body.dataset.stream) return;
  const ask = () => !document.hidden && navigator.wakeLock.request("screen").catch(() => {});
  document.addEventListener("visibilitychange", ask);
  ask();
}
