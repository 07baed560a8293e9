import { en } from './en/index.ts';
import { directionOf, type Language, language } from './language.ts';
import { document } from './page-globals.ts';
import type { Words } from './words.ts';

/** Languages other than English are loaded when the page speaks them. */
const OTHERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Words>>> = {
  de: async () => (await import('./de/index.ts')).de,
};

/** What the page says, in its language. It is there before any module that imports it runs, so constants may use it. */
export const t: Words = language === 'en' ? en : await OTHERS[language]().catch(() => en);

if (document) {
  const spoken = t === en ? 'en' : language;
  document.documentElement.lang = spoken;
  document.documentElement.dir = directionOf(spoken);
}
