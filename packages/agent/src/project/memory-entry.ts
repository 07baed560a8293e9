/** Whose instructions they are. */
export type MemoryKind = 'managed' | 'user' | 'project' | 'local';

/** Instructions that are kept in a file. */
export interface MemoryEntry {
  readonly path: string;
  readonly kind: MemoryKind;
  readonly text: string;
  /** The files that a rule is for, as globs; undefined means that it always holds. */
  readonly paths?: readonly string[];
}

const OWNERS: Record<MemoryKind, string> = {
  managed: 'rules of the organisation',
  user: "the user's own, for every project",
  project: 'of the project, shared by all who work on it',
  local: "the user's own, for this project",
};

const INTRODUCTION =
  'What people have written down for work like this follows. Keep to it, also where you would do otherwise by yourself; what comes later is nearer to the work at hand.';

/** One file of instructions, as the model is told it. */
export function memoryEntryText({ path, kind, text }: MemoryEntry): string {
  return `From ${path} (${OWNERS[kind]}):\n\n${text.trim()}`;
}

/** The instructions that always hold, as the model is told them; empty where there are none. */
export function memoryText(entries: readonly MemoryEntry[]): string {
  const parts = entries
    .filter(({ paths, text }) => paths === undefined && text.trim() !== '')
    .map(memoryEntryText);
  return parts.length === 0 ? '' : [INTRODUCTION, ...parts].join('\n\n');
}
