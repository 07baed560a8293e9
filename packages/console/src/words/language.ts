import { document, localStorage, navigator } from './page-globals.ts';

/** The languages of the console, each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

/** Languages that are written from the right. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur', 'yi']);

/** Where the choice is kept: for the browser, not for a sign-in, because the page speaks before anybody is signed in. */
const STORED = 'console-language';

/** The language of the page: the one chosen in this browser, or the first one of the browser's that the console has. */
export function languageFor(chosen: string | null, preferred: readonly string[]): Language {
  const names = [chosen, ...preferred].map((tag) => tag?.split('-')[0]?.toLowerCase());
  return names.find(isLanguage) ?? 'en';
}

export function isLanguage(name: string | undefined): name is Language {
  return name !== undefined && Object.hasOwn(LANGUAGES, name);
}

/** What `Intl` formats in: the language, with the region that the browser names for it. */
export function localeFor(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.split('-')[0]?.toLowerCase() === language) ?? language;
}

/** Which way a language is written. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
}

// Tests and workers have no page, and speak English.
const preferred = (document && navigator?.languages) ?? [];

export const language = languageFor(
  document && localStorage ? localStorage.getItem(STORED) : null,
  preferred,
);

export const locale = localeFor(language, preferred);

/** Keep a language for this browser. It counts when the page is loaded again. */
export function keepLanguage(chosen: Language): void {
  localStorage?.setItem(STORED, chosen);
}
