import type { Words } from '../words.ts';

export const rules: Words['rules'] = {
  title: 'Regeln',
  outcomes: {
    allowed: 'erlaubt',
    denied: 'abgelehnt',
    changed: 'mit anderer Eingabe erlaubt',
    unanswered: 'nicht beantwortet',
  },
  backtestEmpty: 'Hier erscheint, was sie bisher bewirkt hätte.',
  backtestLooking: 'Bisherige Fragen werden angesehen …',
  against: 'Gegen die gegebene Antwort',
  lastOfThem: 'Die letzten davon',
  newRule: 'Neue Regel',
  does: 'Wirkung',
  rule: 'Regel',
  addRule: 'Regel hinzufügen',
  behaviors: { allow: 'Erlauben', deny: 'Ablehnen', ask: 'Fragen' },
  inFolder: (folder) => `in ${folder}`,
  inOneSession: 'in einer Sitzung',
  everywhere: 'überall',
  about:
    'Regeln beantworten Fragen der Agenten, bevor sie jemand sieht. Ablehnen geht vor Fragen, Fragen vor Erlauben.',
  none: 'Keine: Alles wird gefragt.',
  inForceHead: 'In Kraft',
  inForce: 'Regeln in Kraft',
  untilHubEnds: 'bis der Hub endet',
  proposedHead: 'Vorgeschlagen',
  proposed: 'Vorgeschlagene Regeln',
  look: 'Ansehen',
  removeQuestion: 'Diese Regel entfernen?',
  removeAbout: (does, rule, where) => [`${does} `, rule, ` ${where} gilt ab dem nächsten Aufruf nicht mehr.`],
};
