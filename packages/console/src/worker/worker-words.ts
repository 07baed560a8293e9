import type { NoticeBody, NoticeEnd } from '@signalbox/protocol/hub';
import type { Language } from '../words/language.ts';

const ENGLISH = {
  allow: 'Allow',
  deny: 'Deny',
  notAnswered: (title: string) => `Not answered: ${title}`,
  hubAnswered: (status: number) => `The hub answered ${status}.`,
  noAnswer: 'The hub does not answer. Open the console when it is back.',
  /** The hub's own words: behind the name of a session, and where nobody gave a notice others. */
  title: (title: string) => title,
  body: (body: string) => body,
};

const ENDS_IN_GERMAN: Readonly<Record<NoticeEnd, string>> = {
  'asks you': 'fragt dich',
  'could not be started': 'ließ sich nicht starten',
  'has failed': 'ist fehlgeschlagen',
  'has finished': 'ist fertig',
  'has used up a budget': 'hat ein Budget aufgebraucht',
  'nears a budget': 'hat ein Budget bald aufgebraucht',
};

const BODIES_IN_GERMAN: Readonly<Record<NoticeBody, string>> = {
  'It asks something.': 'Er fragt etwas.',
  'You will be told here when an agent needs you.': 'Hier erfährst du, wenn ein Agent dich braucht.',
  'It failed without saying why.': 'Es ging schief, ohne dass er sagte, warum.',
};

const IN_LANGUAGES: Readonly<Record<Language, typeof ENGLISH>> = {
  en: ENGLISH,
  de: {
    allow: 'Erlauben',
    deny: 'Ablehnen',
    notAnswered: (title) => `Nicht beantwortet: ${title}`,
    hubAnswered: (status) => `Der Hub antwortete ${status}.`,
    noAnswer: 'Der Hub antwortet nicht. Öffne die Konsole, wenn er wieder da ist.',
    title: (title) => {
      const [end, german] = Object.entries(ENDS_IN_GERMAN).find(([known]) => title.endsWith(` ${known}`)) ?? [
        '',
      ];
      return german === undefined ? title : `${title.slice(0, title.length - end.length)}${german}`;
    },
    body: (body) => new Map(Object.entries(BODIES_IN_GERMAN)).get(body) ?? body,
  },
};

const KNOWN: ReadonlyMap<string, typeof ENGLISH> = new Map(Object.entries(IN_LANGUAGES));

/**
 * What notices say. A service worker cannot load code when it is needed, nor read what the page keeps: its few words are here, in the
 * browser's language.
 */
export const WORDS = KNOWN.get(navigator.language.split('-')[0] ?? '') ?? ENGLISH;
