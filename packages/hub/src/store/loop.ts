import type { Author, Loop, Page, PageRequest } from '@signalbox/protocol/hub';
import type { FolderState, LoopIteration, LoopState } from '@signalbox/protocol/loop';

/** A loop as it is kept, with what only the hub needs to go on with it. */
export interface StoredLoop extends Omit<Loop, 'current'> {
  base: FolderState | null;
}

/** An iteration as it is kept. Its prompt is what it began with: a hub that goes on with it does not read a file again. */
export interface StoredIteration extends LoopIteration {
  prompt: string;
  promptId: string;
  author: Author;
  base: FolderState | null;
}

/** A loop with its newest iteration. */
export interface LoopAndIteration {
  loop: StoredLoop;
  iteration: StoredIteration | null;
}

/** The loops, newest first. */
export interface Loops {
  /** Raises `LOOP_EXISTS` when the id is taken. */
  create(loop: StoredLoop): Promise<void>;
  /** What a loop has become, with its newest iteration in the same commit. Raises `STORE_NOT_FOUND`. */
  save(loop: StoredLoop, iteration?: StoredIteration): Promise<void>;
  get(id: string): Promise<LoopAndIteration | undefined>;
  list(request?: PageRequest & { states?: readonly LoopState[] }): Promise<Page<LoopAndIteration>>;
  /** Its iterations, newest first. */
  iterations(id: string, request?: PageRequest): Promise<Page<StoredIteration>>;
  /** Forget a loop with its iterations; its sessions stay. */
  remove(id: string): Promise<void>;
}
