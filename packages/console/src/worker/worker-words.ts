import type { Language } from '../words/language.ts';

const ENGLISH = {
  allow: 'Allow',
  deny: 'Deny',
  notAnswered: (title: string) => `Not answered: ${title}`,
  hubAnswered: (status: number) => `The hub answered ${status}.`,
  noAnswer: 'The hub does not answer. Open the console when it is back.',
};

const IN_LANGUAGES: Readonly<Record<Language, typeof ENGLISH>> = {
  en: ENGLISH,
  de: {
    allow: 'Erlauben',
    deny: 'Ablehnen',
    notAnswered: (title) => `Nicht beantwortet: ${title}`,
    hubAnswered: (status) => `Der Hub antwortete ${status}.`,
    noAnswer: 'Der Hub antwortet nicht. Öffne die Konsole, wenn er wieder da ist.',
  },
};

const KNOWN: ReadonlyMap<string, typeof ENGLISH> = new Map(Object.entries(IN_LANGUAGES));

/**
 * What notices say. A service worker cannot load code when it is needed, nor read what the page keeps: its few words are here, in the
 * browser's language.
 */
export const WORDS = KNOWN.get(navigator.language.split('-')[0] ?? '') ?? ENGLISH;
