/** How often a page that nobody sees is brought up to date: it gets no frames. */
const HIDDEN_MS = 500;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test runs a page's model on Node, whose types know no pages
const page = globalThis as unknown as {
  document: { hidden: boolean };
  requestAnimationFrame: (draw: () => void) => number;
};

/** Call back before the next frame is drawn. */
export function nextFrame(draw: () => void): void {
  if (page.document.hidden) setTimeout(draw, HIDDEN_MS);
  else page.requestAnimationFrame(draw);
}
