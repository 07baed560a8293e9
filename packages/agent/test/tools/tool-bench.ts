import { chmod, mkdir, mkdtemp, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@signalbox/protocol';
import { until } from '@signalbox/testing/until';
import { afterEach } from 'vitest';
import { PermissionStore } from '../../src/permission/permission-store.ts';
import { TaskRegistry } from '../../src/tasks/task-registry.ts';
import { FileMemory } from '../../src/tools/file-memory.ts';
import type { Tool, ToolResult } from '../../src/tools/tool.ts';
import type { ToolSession } from '../../src/tools/tool-session.ts';

/** A session without an agent around it, in a folder of its own. */
export interface ToolBench {
  folder: string;
  session: ToolSession;
  /** The files that were announced before they were changed. */
  announced: string[];
  path: (name: string) => string;
  /** Make a file, with the folders it is in. */
  file: (
    name: string,
    content: string | Uint8Array,
    facts?: { mode?: number; mtime?: number },
  ) => Promise<string>;
  text: (name: string) => Promise<string>;
  run: (tool: Tool, input: JsonObject, signal?: AbortSignal) => Promise<ToolResult>;
}

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** It is cleaned up after the test. */
export async function openBench(): Promise<ToolBench> {
  const place = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-tools-')));
  const folder = join(place, 'project');
  const home = join(place, 'home');
  await mkdir(folder);
  await mkdir(home);
  const announced: string[] = [];
  const permissions = new PermissionStore({ mode: 'default' });
  const session: ToolSession = {
    id: crypto.randomUUID(),
    cwd: folder,
    originalCwd: folder,
    additionalDirectories: [join(place, 'home')],
    home,
    env: { PATH: process.env.PATH, HOME: home },
    files: new FileMemory(),
    tasks: new TaskRegistry(),
    todos: [],
    get mode() {
      return permissions.mode;
    },
    setMode: (mode) => permissions.setMode(mode),
    readFilter: () => undefined,
    beforeFileChange: (path) => {
      announced.push(path);
      return Promise.resolve();
    },
  };
  cleanups.push(async () => {
    await session.tasks.stopAll();
    await rm(place, { recursive: true, force: true });
  });
  return {
    folder,
    session,
    announced,
    path: (name) => join(folder, name),
    async file(name, content, { mode, mtime } = {}) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      if (mode !== undefined) await chmod(path, mode);
      if (mtime !== undefined) await utimes(path, mtime, mtime);
      return path;
    },
    text: (name) => readFile(join(folder, name), 'utf8'),
    run: (tool, input, signal = new AbortController().signal) =>
      tool.run(input, { session, toolUseId: 'toolu_1', signal }),
  };
}

/** The number that a command has written to a file. */
export async function pidIn(path: string): Promise<number> {
  let text = '';
  await until(async () => {
    text = await readFile(path, 'utf8').catch(() => '');
    return text.endsWith('\n');
  });
  return Number(text);
}

/** The same random numbers in every run. */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
