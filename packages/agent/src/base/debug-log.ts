import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '@signalbox/protocol';
import { UsageError } from './agent-errors.ts';
import { maskSecrets, secretValues } from './mask-secrets.ts';

/** A line that is longer is cut. */
export const MAX_DEBUG_LINE_CHARS = 20_000;

/** Takes one line; it is only put together when somebody wants it. */
export type DebugLine = (say: () => string) => void;

/** Where debug lines go, and which. */
export interface DebugOptions {
  /** Categories that are wanted (`api,hooks`), or not wanted (`!api`); all of them when it is empty. */
  filter?: string | undefined;
  /** A file to append to, in the place of stderr. */
  file?: string | undefined;
  /** Whose keys and tokens must not be shown. */
  env: NodeJS.ProcessEnv;
}

let listener: { wants(category: string): boolean; write(line: string): void } | undefined;

/** Says what happens in one part of the agent, for those who look for a fault. Costs nothing while nobody does. */
export function debugLog(category: string): DebugLine {
  return (say) => {
    if (listener?.wants(category)) listener.write(`${category}: ${say()}`);
  };
}

/** Begin to write. Throws `UsageError` when the file cannot be written; a disk that fills up later ends it silently. */
export function startDebugLog({ filter = '', file, env }: DebugOptions): void {
  const put = file === undefined ? putOnStderr : intoFile(file);
  const secrets = secretValues(env);
  listener = {
    wants: filterOf(filter),
    write(line) {
      // One line, whatever is in it: nobody can forge the next.
      const shown = maskSecrets(line, secrets).replaceAll(/[\r\n]+/g, '\\n');
      const cut = shown.length > MAX_DEBUG_LINE_CHARS ? `${shown.slice(0, MAX_DEBUG_LINE_CHARS)}…` : shown;
      put(`${new Date().toISOString()} ${cut}\n`);
    },
  };
}

export function stopDebugLog(): void {
  listener = undefined;
}

function filterOf(filter: string): (category: string) => boolean {
  const words = filter
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const unwanted = words.filter((word) => word.startsWith('!')).map((word) => word.slice(1));
  const wanted = words.filter((word) => !word.startsWith('!'));
  return (category) => {
    const name = category.toLowerCase();
    return !unwanted.includes(name) && (wanted.length === 0 || wanted.includes(name));
  };
}

function putOnStderr(line: string): void {
  process.stderr.write(line);
}

/** Written at once: what was said right before a crash is what somebody looks for. */
function intoFile(file: string): (line: string) => void {
  try {
    // One folder at the most: making all of them below /proc never ends in Node 20.
    if (!existsSync(dirname(file))) mkdirSync(dirname(file));
    appendFileSync(file, '', { mode: 0o600 });
  } catch (error) {
    throw new UsageError(`--debug-file cannot be written: ${messageOf(error)}. Choose another file.`);
  }
  return (line) => {
    try {
      appendFileSync(file, line);
    } catch {
      stopDebugLog();
    }
  };
}
