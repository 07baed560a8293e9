/** The modes that are worth switching to while an agent works, with what each means. */
export const MODES: readonly (readonly [mode: string, words: string])[] = [
  ['default', 'Asks before it acts'],
  ['acceptEdits', 'Accepts edits'],
  ['plan', 'Plans only'],
  ['bypassPermissions', 'Asks for nothing'],
  ['dontAsk', 'Denies instead of asking'],
];
