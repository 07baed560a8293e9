import type { Words } from '../words.ts';

export const storage: Words['storage'] = {
  title: 'Speicher',
  kept: {
    eventDays: 'Gesagtes',
    promptDays: 'Prompts',
    permissionDays: 'Beantwortete Fragen',
    auditDays: 'Das Protokoll',
    deviceDays: 'Abgemeldete Geräte',
    terminalDays: 'Beendete Terminals',
  },
  changeKept: 'Aufbewahrung ändern',
  keepSo: 'So behalten',
  limitsAbout: (isArchived) =>
    `In Tagen; ein leeres Feld behält es für immer. Älteres verschwindet binnen einer Stunde${isArchived ? ': Gesagtes wird vorher in Dateien geschrieben' : ''}.`,
  databaseLimit: 'Größe der Datenbank höchstens (MiB)',
  noLimit: 'Eine Grenze ist eine ganze Zahl über 0, oder nichts.',
  backup: 'Sicherung',
  backupAbout:
    'Eine Sicherung enthält alles, was in jeder Sitzung gesagt wurde. signalbox restore spielt sie zurück.',
  copying: 'Wird kopiert …',
  download: 'Sicherung herunterladen',
  days: (what, days) => `${what}: ${days} Tage`,
  takes: 'Platzbedarf',
  inUse: (used, limit, onDisk) =>
    `${used} belegt${limit === undefined ? '' : ` von ${limit} MiB`}, ${onDisk} auf der Platte.`,
  overLimit: 'Das ist mehr als erlaubt, und nichts ist übrig, das gehen darf.',
  forGood: 'Alles wird für immer behalten.',
};
