/** How often a page that nobody sees is brought up to date: it gets no frames. */
const HIDDEN_MS = 500;

/** Call back before the next frame is drawn. */
export function nextFrame(draw: () => void): void {
  if (document.hidden) setTimeout(draw, HIDDEN_MS);
  else requestAnimationFrame(draw);
}
