import { resolve } from 'node:path';
import { blocksOf, type ChainedEntry, isJsonObject, isMessage, type MessageEntry } from '@signalbox/protocol';

/** A file that a conversation has read or written, and until when what it knows of it is true. */
export interface SeenFile {
  readonly path: string;
  readonly until: number;
}

/** Tools that show the model a file, or leave one behind that it knows; by the name of their path. */
const PATH_FIELDS = new Map([
  ['Read', 'file_path'],
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['Write', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
]);

/** What a stored conversation has seen of files, the newest last: the calls that went well. */
export function seenFiles(entries: readonly ChainedEntry[]): SeenFile[] {
  const calls = new Map<unknown, { path: string; readAt: number | undefined }>();
  const seen = new Map<string, number>();
  for (const entry of entries.filter(isMessage)) {
    for (const block of blocksOf(entry)) {
      if (block.type === 'tool_use') {
        const path = pathOf(block, entry);
        // What changes while it is read is unseen: a read counts from the moment it was called for.
        const readAt = block.name === 'Read' ? timeOf(entry) : undefined;
        if (path !== undefined) calls.set(block.id, { path, readAt });
      }
      const call = block.type === 'tool_result' ? calls.get(block.tool_use_id) : undefined;
      if (!call || block.is_error === true) continue;
      seen.delete(call.path);
      seen.set(call.path, call.readAt ?? timeOf(entry));
    }
  }
  return Array.from(seen, ([path, until]) => ({ path, until }));
}

function pathOf(
  { name, input }: { name?: unknown; input?: unknown },
  { cwd }: MessageEntry,
): string | undefined {
  const field = PATH_FIELDS.get(String(name));
  if (field === undefined || !isJsonObject(input)) return undefined;
  const path = input[field];
  if (typeof path !== 'string' || typeof cwd !== 'string') return undefined;
  return resolve(cwd, path);
}

function timeOf({ timestamp }: MessageEntry): number {
  return Date.parse(String(timestamp)) || 0;
}
