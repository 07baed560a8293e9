/** What a loop is doing. `pausing` and `stopping` last until the iteration under way is over. */
export const LOOP_STATES = ['running', 'pausing', 'paused', 'stopping', 'ended'] as const;
export type LoopState = (typeof LOOP_STATES)[number];

/** Where the newest iteration stands: its agent works, its condition is being checked, or it is over. */
export const LOOP_STEPS = ['turn', 'check', 'over'] as const;
export type LoopStep = (typeof LOOP_STEPS)[number];

/** How a loop ended: its condition came, a limit came first, it could not go on, or somebody stopped it. */
export const LOOP_ENDS = ['done', 'limit', 'failed', 'stopped'] as const;
export type LoopEnd = (typeof LOOP_ENDS)[number];

/** What somebody does with a loop. */
export const LOOP_ACTIONS = ['pause', 'resume', 'stop'] as const;
export type LoopAct = (typeof LOOP_ACTIONS)[number];

/** So many iterations that fail one after the other end a loop. */
export const MAX_FAILURES_IN_ROW = 3;

/** How many iterations a loop has unless told otherwise. */
export const DEFAULT_ITERATIONS = 10;

/** How long a condition command may take unless told otherwise. */
export const DEFAULT_UNTIL_SECONDS = 600;

/** What ends a loop or halts it. */
export interface LoopRules {
  maxIterations: number;
  /** Done when the agent's last words of an iteration contain this. */
  untilText?: string;
  /** Done when this command, run after an iteration in the folder, exits with 0. */
  untilCommand?: string;
  /** How long that command may take. */
  untilSeconds?: number;
  /** No further iteration begins once this much was spent. */
  budgetUsd?: number;
  /** Wait for a person after an iteration that failed, instead of going on. */
  pauseOnFailure?: boolean;
}

/** Why a loop is paused or has ended: a word for programs, and a sentence for people. */
export interface LoopReason {
  code: string;
  message: string;
}

/** How far a loop is. */
export interface LoopProgress {
  state: LoopState;
  step: LoopStep;
  /** The number of the newest iteration, from 1; 0 before the first one. */
  iteration: number;
  /** Iterations that failed since the last one that did not. */
  failuresInRow: number;
  turns: number;
  costUsd: number;
  end: LoopEnd | null;
  reason: LoopReason | null;
}

/** How the turn of an iteration ended, and what it took. */
export interface LoopTurn {
  how: 'well' | 'failed' | 'interrupted';
  /** The agent's last words, or what went wrong. */
  text: string;
  turns: number;
  costUsd: number;
}

/** What came of a condition command: it exited with 0, with another code, or could not be run to its end. */
export type LoopCheck = { result: 'met' } | { result: 'unmet' } | ({ result: 'failed' } & LoopReason);

/** A state of a folder's git repository that later ones are compared with. */
export interface FolderState {
  head: string | null;
  tree: string;
}

/** What changed in the git repository of a folder. */
export interface FolderChanges {
  commits: number;
  files: number;
  insertions: number;
  deletions: number;
}

/** An iteration of a loop. */
export interface LoopIteration {
  number: number;
  /** The session in which it runs. */
  session: string;
  step: LoopStep;
  startedAt: number;
  endedAt: number | null;
  how: LoopTurn['how'] | null;
  /** The end of the agent's last words, or what went wrong. */
  text: string;
  turns: number;
  costUsd: number;
  /** Null when no condition command was run. */
  check: LoopCheck['result'] | null;
  /** Null where there is no git repository, or it could not be read. */
  changes: FolderChanges | null;
}

/** An iteration whose turn has just begun. */
export const NEW_ITERATION = {
  step: 'turn',
  endedAt: null,
  how: null,
  text: '',
  turns: 0,
  costUsd: 0,
  check: null,
  changes: null,
} as const satisfies Partial<LoopIteration>;
