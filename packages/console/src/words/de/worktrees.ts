import type { Words } from '../words.ts';

export const worktrees: Words['worktrees'] = {
  title: 'Übrige Worktrees',
  look: 'Nach übrigen Worktrees suchen',
  removed: (what) => `${what} entfernt. `,
  allBelong: 'Jeder Worktree gehört zu einer Sitzung.',
  canGo: 'Nichts ginge verloren: Das Aufräumen entfernt ihn.',
  stays: (why) => `Bleibt: ${why}`,
  more: (count) => `Und ${count} weitere.`,
  sweeping: 'Wird aufgeräumt …',
  sweep: (what) => `${what} aufräumen`,
  worktrees: (n) => (n === 1 ? '1 Worktree' : `${n} Worktrees`),
  setUp: 'Einrichtung des Worktrees',
  setUpAbout: 'Der Worktree wird eingerichtet. Danach startet der Agent.',
  setUpOutput: 'Ausgabe der Einrichtung',
  setUpSilent: 'Noch keine Ausgabe.',
  about:
    'Ein Worktree bleibt, wenn seine Sitzung entfernt wird, während er etwas hat, das es sonst nirgends gibt.',
};
