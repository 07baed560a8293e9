import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Terminal } from '@signalbox/protocol/hub';
import { ownerOf } from '../bridge/folder-lock.ts';
import { bridgeIdOf } from '../launch/bridge-id.ts';
import { readTerminalMeta, type TerminalMeta } from '../terminal-host/terminal-folder.ts';

/** The terminals of a home, by their folders: what a terminal's process wrote down is all that is known of it. */
export class TerminalFiles {
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  folderOf(session: string, number: number): string {
    return join(this.#ofSession(session), String(number));
  }

  /** Undefined when there is none, or none that has begun. */
  find(session: string, number: number): Terminal | undefined {
    const folder = this.folderOf(session, number);
    const meta = readTerminalMeta(folder);
    return meta?.shellPid === undefined ? undefined : terminalOf(meta, ownerOf(folder) !== undefined);
  }

  /** In the order in which they were started. */
  list(session: string): Terminal[] {
    return this.#numbers(session).flatMap((number) => this.find(session, number) ?? []);
  }

  /** A number, and a folder, that nobody else has. */
  take(session: string): number {
    mkdirSync(this.#ofSession(session), { recursive: true, mode: 0o700 });
    for (let number = Math.max(0, ...this.#numbers(session)) + 1; ; number += 1) {
      try {
        mkdirSync(this.folderOf(session, number), { mode: 0o700 });
        return number;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
    }
  }

  /** In one step: whoever lists terminals sees a whole one, or none. */
  remove(session: string, number: number): void {
    const removed = join(this.#home, 'terminals', `.removed-${crypto.randomUUID()}`);
    try {
      renameSync(this.folderOf(session, number), removed);
      rmSync(removed, { recursive: true, force: true });
    } catch {
      // Somebody else has removed it.
    }
  }

  removeAll(session: string): void {
    rmSync(this.#ofSession(session), { recursive: true, force: true });
  }

  #ofSession(session: string): string {
    return join(this.#home, 'terminals', bridgeIdOf(session));
  }

  #numbers(session: string): number[] {
    try {
      const names = readdirSync(this.#ofSession(session));
      return names
        .map(Number)
        .filter(Number.isSafeInteger)
        .toSorted((one, other) => one - other);
    } catch {
      return [];
    }
  }
}

function terminalOf(meta: TerminalMeta, isRunning: boolean): Terminal {
  const { session, number, shell, folder, startedAt, isAgent = false, exit = null } = meta;
  const state = exit ? 'exited' : isRunning ? 'running' : 'lost';
  const pid = state === 'running' ? meta.pid : null;
  return { session, number, state, shell, isAgent, folder, pid, startedAt, exit };
}
