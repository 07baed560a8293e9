import type { Words } from '../words.ts';

export const goBack: Words['goBack'] = {
  question: 'Zurück vor diesen Prompt?',
  goBack: 'Zurückgehen',
  goingBack: 'Geht zurück …',
  conversation: 'Die Unterhaltung',
  conversationAbout: 'geht in einer neuen Sitzung weiter, die kennt, was vorher gesagt wurde. Diese bleibt.',
  afterQuestion: 'Von dieser Antwort aus weitermachen?',
  goOn: 'Weitermachen',
  goingOn: 'Macht weiter …',
  afterAbout:
    'Eine neue Sitzung kennt die Unterhaltung bis zu dieser Antwort und nichts danach. Diese bleibt, und die Dateien bleiben, wie sie sind.',
  files: 'Die Dateien',
  looking: '… es wird ermittelt, was sich ändern würde',
  impossible: (why) => `lassen sich nicht zurücksetzen. ${why}`,
  asTheyWere: 'sind, wie sie waren.',
  putBack: (n, insertions, deletions) =>
    `, die seine Werkzeuge geändert haben, werden zurückgesetzt: ${n === 1 ? '1 Datei ändert' : `${n} Dateien ändern`} sich um +${insertions} −${deletions} Zeilen.`,
  wouldChange: 'Dateien, die sich ändern würden',
  atWork: 'Der Agent arbeitet: Warte auf das Ende seiner Runde.',
  nothingKept: 'Von seinen Dateien wurde nichts aufgehoben.',
};
