import type { Language } from '../words/language.ts';

/** The texts of the page for when the hub does not answer, by the ids that they have there. English is in the page itself. */
export type OfflineWords = Readonly<Record<'title' | 'about' | 'start' | 'again', string>>;

/** They are not among the words of the console, which cannot be loaded without the hub. */
export const OFFLINE_WORDS: Readonly<Record<Exclude<Language, 'en'>, OfflineWords>> = {
  de: {
    title: 'Der Hub antwortet nicht',
    about:
      'Vielleicht wurde er beendet, oder dieses Gerät hat kein Netz. Agenten laufen ohne diese Seite weiter, und was sie fragen, wartet auf dich. Diese Seite macht von selbst weiter, sobald der Hub wieder da ist.',
    start: 'Auf seinem Rechner startet ihn signalbox up neu (in einem Klon npm start).',
    again: 'Erneut versuchen',
  },
};
