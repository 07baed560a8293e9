import type { Words } from '../words.ts';

export const parts: Words['parts'] = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  output: 'Ausgabe',
  showLess: 'Weniger zeigen',
  showAll: (count) => `Alle ${count}k Zeichen zeigen`,
  table: 'Tabelle',
  names: {
    list: 'Die Liste',
    page: 'Diese Seite',
    session: 'Diese Sitzung',
    transcript: 'Der Verlauf',
    box: 'Das Textfeld',
    changes: 'Die Änderungen',
    screen: 'Der Bildschirm des Agenten',
    terminal: 'Das Terminal',
    details: 'Die Details',
    dialog: 'Der Dialog',
  },
  failed: (name) => `${name}: kann nicht gezeigt werden.`,
  failedAbout: (name) => [
    name,
    ' Der Rest der Seite läuft weiter, die Agenten auch. Was du geschrieben hast, ist aufgehoben.',
  ],
  loadAgain: 'Seite neu laden',
  rowFailed: (why) => `Das kann nicht gezeigt werden: ${why}`,
};
