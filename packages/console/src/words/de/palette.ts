import type { Words } from '../words.ts';

export const palette: Words['palette'] = {
  groups: { session: 'Diese Sitzung', do: 'Tun', go: 'Gehe zu', page: 'Diese Seite' },
  keys: (keys) => keys.replace('Ctrl', 'Strg').replace('Home', 'Pos1').replace('End', 'Ende'),
  title: 'Befehle und Sitzungen',
  find: 'Befehl oder Sitzung suchen',
  hint: 'Was möchtest du tun?',
  searchFor: (words) => `„${words}“ in allem Gesagten suchen`,
  search: 'Suche',
};
