import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe says against a page, and where. */
export async function violationsOn(page: Page): Promise<string[]> {
  // What fades in has its colours when it is there; what is taken away meanwhile has none.
  await page.evaluate(
    'Promise.all(document.getAnimations().filter(({effect}) => effect.getComputedTiming().endTime !== Infinity).map(({finished}) => finished.catch(() => {})))',
  );
  // Half a megabyte, which a page takes longer to read than axe takes to look at it.
  if (!(await page.evaluate('window.axe !== undefined'))) await page.evaluate(AXE);
  return page.evaluate(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`,
  );
}
