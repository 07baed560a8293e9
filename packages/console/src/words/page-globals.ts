/** What a page has and a test or a worker has not, as far as it is needed to know the language. */
interface PageGlobals {
  console: unknown;
  document?: { documentElement: { lang: string; dir: string } };
  localStorage?: { getItem(key: string): string | null; setItem(key: string, value: string): void };
  navigator?: { languages?: readonly string[] };
}

const globals: PageGlobals = globalThis;

export const { document, localStorage, navigator } = globals;
