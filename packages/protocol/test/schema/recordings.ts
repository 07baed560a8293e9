import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAgentMessage, parseHostMessage } from '@signalbox/protocol';

/** One line that a real program wrote. */
export interface Recorded {
  readonly file: string;
  readonly from: 'agent' | 'host';
  readonly message: unknown;
}

interface FixtureLine {
  readonly from?: 'agent' | 'host';
  readonly dir?: 'in' | 'out' | 'spawn' | 'stdin-eof' | 'signal' | 'exit';
  readonly msg?: unknown;
  readonly frame?: unknown;
}

const ROOT = fileURLToPath(new URL('../fixtures/wire/', import.meta.url));

/** Input that the recorder sent to see an agent refuse it. `(raw)` stands for a line that is not JSON. */
export const DELIBERATELY_BAD = [
  '(raw)',
  'banana',
  'control_request/nonsense',
  'control_request/no_such_subtype',
];

export const recordings: readonly Recorded[] = ['2.1.37', '2.1.325', 'hosts'].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`).flatMap((name) => read(`${folder}/${name}`)),
);

/** The wrong role is the one bad input that has a schema, and the schema refuses it. */
export function hasWrongRole(recorded: Recorded): boolean {
  return recorded.file.endsWith('/badrole.jsonl');
}

export function parse(recorded: Recorded): unknown {
  return recorded.from === 'agent' ? parseAgentMessage(recorded.message) : parseHostMessage(recorded.message);
}

function read(file: string): Recorded[] {
  const lines = readFileSync(`${ROOT}${file}`, 'utf8').split('\n').filter(Boolean);
  return lines.flatMap((line) => {
    const { from, dir, msg, frame }: FixtureLine = JSON.parse(line);
    const message = msg ?? frame;
    if (message === undefined) return [];
    return [{ file, from: from ?? (dir === 'in' ? 'host' : 'agent'), message }];
  });
}
