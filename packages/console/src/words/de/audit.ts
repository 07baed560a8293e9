import type { Words } from '../words.ts';

export const audit: Words['audit'] = {
  title: 'Protokoll',
  find: 'Suchen',
  findHint: 'allow, eine Person, ein Gerät, eine Sitzung …',
  count: (found, all) => `${found} der letzten ${all}`,
  nothing: 'Noch wurde nichts entschieden.',
  decisions: 'Entscheidungen',
  older: 'Ältere',
  session: (id) => `Sitzung ${id}`,
};
