import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject, SignalboxError } from '@signalbox/protocol';
import { onTestFinished } from 'vitest';
import {
  findSession,
  type OpenSession,
  openSession,
  type SessionStart,
} from '../../src/session/open-session.ts';
import { type SessionPaths, sessionPathsOf } from '../../src/session/session-paths.ts';

/** A home and a working directory of a test's own. */
export interface SessionFolder {
  root: string;
  cwd: string;
  sessionPaths: SessionPaths;
  problems: SignalboxError[];
  open: (start?: Partial<SessionStart>) => Promise<OpenSession>;
  /** Put down a transcript, entry by entry or word for word. Returns its file. */
  store: (sessionId: string, lines: readonly (JsonObject | string)[]) => Promise<string>;
}

export async function sessionFolder(): Promise<SessionFolder> {
  const root = await mkdtemp(join(tmpdir(), 'signalbox-session-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const cwd = join(root, 'project');
  await mkdir(cwd);
  const sessionPaths = sessionPathsOf(cwd, {}, root);
  const problems: SignalboxError[] = [];
  return {
    root,
    cwd: sessionPaths.cwd,
    sessionPaths,
    problems,
    async open(start) {
      const found = await findSession({
        sessionPaths,
        sessionId: crypto.randomUUID(),
        isPersistent: true,
        onProblem: (problem) => problems.push(problem),
        ...start,
      });
      const session = await openSession(found);
      // A folder that is still written to cannot be removed.
      onTestFinished(() => session.log.flush());
      return session;
    },
    async store(sessionId, lines) {
      const file = sessionPaths.transcriptOf(sessionId);
      await mkdir(dirname(file), { recursive: true });
      const text = lines
        .map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
        .join('');
      await writeFile(file, text);
      return file;
    },
  };
}

/** The entries of a transcript. */
export async function entriesOf(file: string): Promise<JsonObject[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.filter((line) => line !== '').map((line): JsonObject => JSON.parse(line));
}

/** Entries that follow each other, under the names that a test gives them. */
export function says(
  uuid: string,
  parentUuid: string | null,
  text: string,
  rest: JsonObject = {},
): JsonObject {
  return { type: 'user', uuid, parentUuid, message: { role: 'user', content: text }, ...rest };
}

export function replies(
  uuid: string,
  parentUuid: string | null,
  block: string | JsonObject,
  { id = `msg_${uuid}`, ...rest }: JsonObject = {},
): JsonObject {
  const content = [typeof block === 'string' ? { type: 'text', text: block } : block];
  return {
    type: 'assistant',
    uuid,
    parentUuid,
    message: { id, role: 'assistant', model: 'claude-test', content },
    ...rest,
  };
}

export function call(id: string): JsonObject {
  return { type: 'tool_use', id, name: 'Bash', input: { command: id } };
}

export function answer(id: string, content = `result of ${id}`): JsonObject {
  return { type: 'tool_result', tool_use_id: id, content };
}

export function answers(uuid: string, parentUuid: string, id: string): JsonObject {
  return { type: 'user', uuid, parentUuid, message: { role: 'user', content: [answer(id)] } };
}

export const text = (value: string): JsonObject[] => [{ type: 'text', text: value }];
