import { randomUUID } from 'node:crypto';
import type { Loop, LoopChange, LoopSpec, NewLoop, Page, PageRequest, Scope } from '@signalbox/protocol/hub';
import {
  DEFAULT_ITERATIONS,
  type LoopAct,
  type LoopIteration,
  type LoopState,
  newLoop,
} from '@signalbox/protocol/loop';
import { readLoopPrompt } from '@signalbox/transport/loop';
import { authorOf } from '../auth/identity.ts';
import type { LiveLoops } from '../loops/live-loops.ts';
import { iterationView, loopView } from '../loops/loop-view.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import { titleOf } from '../sessions/session-news.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import { startAutoApproval } from './auto-approval.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';

/** What a {@link LoopService} works with. */
export interface LoopServiceParts {
  store: Store;
  sessions: LiveSessions;
  loops: LiveLoops;
  decisions: Decisions;
  onTrouble: (error: unknown, session: string) => void;
}

/** What people do about loops. */
export class LoopService {
  readonly #parts: LoopServiceParts;

  constructor(parts: LoopServiceParts) {
    this.#parts = parts;
  }

  /** Go on with all that have not ended, until this is called off. */
  async begin(): Promise<() => Promise<void>> {
    const { loops, sessions, onTrouble } = this.#parts;
    const stop = startAutoApproval(sessions, onTrouble, async (session) => {
      const loop = loops.workingIn(session);
      if (!loop?.spec.allowAll || loop.author.by !== 'person') return undefined;
      return (await this.#isSignedIn(loop.author.deviceId))
        ? { author: loop.author, why: `loop ${loop.id}` }
        : undefined;
    });
    await loops.begin();
    return async () => {
      stop();
      await loops.close();
    };
  }

  /** `begunAt` is that of a request that comes again after a kill: what it made then is its answer. */
  async create(by: Device, { id = randomUUID(), ...rest }: NewLoop, begunAt?: number): Promise<Loop> {
    permit(by, scopeOf({ ...rest, mode: rest.launch.mode }));
    const { store, loops, decisions } = this.#parts;
    const known = begunAt === undefined ? undefined : await store.loops.get(id);
    if (known && begunAt !== undefined && known.loop.createdAt >= begunAt) return loops.get(id);
    const spec = specOf({ ...rest, launch: loops.check(rest.launch) });
    const now = Date.now();
    await decisions.keep(authorOf(by), { what: 'loop', session: null, subject: spec.title, isPrivate: true });
    return loops.create({
      ...newLoop(),
      id,
      spec,
      author: authorOf(by),
      version: 1,
      changes: null,
      base: null,
      createdAt: now,
      updatedAt: now,
    });
  }

  async list(by: Device, request: PageRequest & { states?: readonly LoopState[] }): Promise<Page<Loop>> {
    permit(by, 'watch');
    const { items, ...rest } = await this.#parts.store.loops.list(request);
    return { ...rest, items: items.map(loopView) };
  }

  async get(by: Device, id: string): Promise<Loop> {
    permit(by, 'watch');
    return this.#parts.loops.get(id);
  }

  async iterations(by: Device, id: string, request: PageRequest): Promise<Page<LoopIteration>> {
    await this.get(by, id);
    const { items, ...rest } = await this.#parts.store.loops.iterations(id, request);
    return { ...rest, items: items.map(iterationView) };
  }

  async act(by: Device, id: string, act: LoopAct): Promise<Loop> {
    permit(by, 'drive');
    const loop = await this.#parts.loops.act(id, act, by.person);
    await this.#parts.decisions.keep(authorOf(by), { what: `${act} loop`, session: null, subject: id });
    return loop;
  }

  async edit(by: Device, id: string, change: LoopChange): Promise<Loop> {
    permit(by, scopeOf(change));
    if (change.promptFile !== undefined) readLoopPrompt(change.promptFile);
    const loop = await this.#parts.loops.edit(id, change, authorOf(by));
    await this.#parts.decisions.keep(authorOf(by), { what: 'edit loop', session: null, subject: id });
    return loop;
  }

  async remove(by: Device, id: string): Promise<Record<string, never>> {
    permit(by, 'drive');
    await this.#parts.loops.remove(id);
    await this.#parts.decisions.keep(authorOf(by), { what: 'remove loop', session: null, subject: id });
    return {};
  }

  /** Tell of the loops, to one who may see all; returns the way to stop it. */
  watchAll(
    by: Device,
    { onLoop, onRemoved }: { onLoop: (loop: Loop) => void; onRemoved: (id: string) => void },
  ): () => void {
    if (by.session !== null) return () => {};
    const { loops } = this.#parts;
    const stops = [loops.onLoop(onLoop), loops.onRemoved(onRemoved)];
    return () => stops.forEach((stop) => stop());
  }

  /** Nobody's name is used who was signed out. */
  async #isSignedIn(device: string | undefined): Promise<boolean> {
    const known = device === undefined ? undefined : await this.#parts.store.devices.get(device);
    return known !== undefined && known.revokedAt === null && (known.expiresAt ?? Infinity) > Date.now();
  }
}

/**
 * The hub itself runs a condition command and reads a prompt file, whatever they are: that takes as much as to run any program,
 * or to read its own token.
 */
function scopeOf({
  untilCommand,
  promptFile,
  mode,
}: {
  untilCommand?: string | null;
  promptFile?: string;
  mode?: string | undefined;
}): Scope {
  const isByHub = typeof untilCommand === 'string' || promptFile !== undefined;
  return isByHub || mode === 'bypassPermissions' ? 'admin' : 'drive';
}

/** Raises `LOOP_PROMPT_FILE`: a file that is not there is told at once. */
function specOf({ prompt, promptFile, title, ...rest }: Omit<NewLoop, 'id'>): LoopSpec {
  const first = promptFile === undefined ? (prompt ?? '') : readLoopPrompt(promptFile);
  return {
    maxIterations: DEFAULT_ITERATIONS,
    keepSession: false,
    allowAll: false,
    ...rest,
    title: title ?? titleOf(first) ?? 'loop',
    prompt: prompt ?? null,
    promptFile: promptFile ?? null,
  };
}
