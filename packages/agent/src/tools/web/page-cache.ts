/** How long a page is as good as new, and how much of all pages is kept; the oldest go first. */
export const CACHE_MS = 15 * 60 * 1000;
export const MAX_CACHED_CHARS = 10_000_000;

/** A page, ready to be read. */
export interface Page {
  readonly url: string;
  readonly code: number;
  readonly codeText: string;
  readonly bytes: number;
  readonly text: string;
}

/** Pages that were fetched lately. */
export class PageCache {
  readonly #pages = new Map<string, { page: Page; until: number }>();
  readonly #now: () => number;
  #chars = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get(url: string): Page | undefined {
    this.#forgetOld();
    return this.#pages.get(url)?.page;
  }

  add(url: string, page: Page): void {
    this.#forget(url);
    this.#pages.set(url, { page, until: this.#now() + CACHE_MS });
    this.#chars += page.text.length;
    this.#forgetOld();
  }

  /** The first is the oldest: pages are added in the order of their time. */
  #forgetOld(): void {
    for (const [url, { until }] of this.#pages) {
      if (until > this.#now() && this.#chars <= MAX_CACHED_CHARS) return;
      this.#forget(url);
    }
  }

  #forget(url: string): void {
    this.#chars -= this.#pages.get(url)?.page.text.length ?? 0;
    this.#pages.delete(url);
  }
}
