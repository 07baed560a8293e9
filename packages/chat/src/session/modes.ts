import type { PermissionMode } from '@signalbox/protocol';

/** The modes that a key goes through; the others are chosen by name. */
const CYCLE = ['default', 'acceptEdits', 'plan'] as const;

const OTHERS = ['dontAsk', 'bypassPermissions'] as const;

/** The mode that the key changes to. */
export function modeAfter(mode: string): PermissionMode {
  const at = CYCLE.findIndex((known) => known === mode);
  return CYCLE[(at + 1) % CYCLE.length] ?? 'default';
}

/** The modes as /mode lists them, with a mark at the one that holds. */
export function modeRows(current: string): (readonly [string, string])[] {
  return [...CYCLE, ...OTHERS].map((mode) => [mode, mode === current ? '← now' : '']);
}
