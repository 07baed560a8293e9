import type { Page } from 'playwright-core';

/** What sticks out of the screen to the side. */
export function wideParts(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('button, h1, h2, h3, p, label, select, a, li, header, footer')]
    .filter((part) => part.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((part) => part.closest('.unseen, .scroll-box, pre, .list, [popover]') === null)
    .filter((part) => part.getBoundingClientRect().right > innerWidth + 1 || part.getBoundingClientRect().left < -1)
    .map((part) => part.outerHTML.slice(0, 120))`);
}
