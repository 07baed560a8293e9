import { type Limit, MIB } from './limit.ts';

/** Prompts that wait, and questions that wait for people. */
export const PROMPT_LIMITS = {
  promptBytes: {
    most: 32 * MIB,
    unit: 'bytes',
    code: 'STORE_LIMIT',
    what: 'one prompt, with its images',
    told: 'whoever sent it, by a 413',
  },
  waitingPrompts: {
    most: 1000,
    unit: 'items',
    code: 'STORE_LIMIT',
    what: 'prompts of a session that wait',
    told: 'whoever sent one more, by a 413',
  },
  waitingPromptBytes: {
    most: 64 * MIB,
    unit: 'bytes',
    code: 'STORE_LIMIT',
    what: 'all prompts of a session that wait',
    told: 'whoever sent one more, by a 413',
  },
  queuedPrompts: {
    most: 1000,
    unit: 'items',
    code: 'PROMPT_QUEUE_FULL',
    what: 'prompts that an agent has not begun',
    told: 'the host, by a note that names the prompt',
  },
  queuedPromptBytes: {
    most: 128 * MIB,
    unit: 'bytes',
    code: 'PROMPT_QUEUE_FULL',
    what: 'all prompts that an agent has not begun; one alone may be as long as a line',
    told: 'the host, by a note that names the prompt',
  },
  savedPrompts: {
    most: 200,
    unit: 'items',
    code: 'SAVED_PROMPT_LIMIT',
    what: 'prompts that a hub keeps for people to use again',
    told: 'whoever saves one more, by a 413',
  },
  savedPromptBytes: {
    most: 2 * MIB,
    unit: 'bytes',
    code: 'SAVED_PROMPT_LIMIT',
    what: 'all prompts that a hub keeps for people to use again',
    told: 'whoever saves more, by a 413',
  },
  savedPromptLength: {
    most: 20_000,
    unit: 'characters',
    code: 'REQUEST_INVALID',
    what: 'a prompt that is saved to be used again',
    told: 'whoever saves a longer one, by a 400',
  },
  openAsks: {
    most: 1000,
    unit: 'items',
    code: 'ASK_LIMIT',
    what: 'questions of one session that wait for people',
    told: 'the agent, by an error answer',
  },
  askBytes: {
    most: 4 * MIB,
    unit: 'bytes',
    code: 'ASK_TOO_LONG',
    what: 'one question of an agent, or its answer to one, as a line',
    told: 'the agent, by an error answer; people, by a note in the record',
  },
  sessionAskBytes: {
    most: 16 * MIB,
    unit: 'bytes',
    code: 'ASK_LIMIT',
    what: 'all questions of one session that wait for people',
    told: 'the agent, by an error answer; people, by a note in the record',
  },
  allAskBytes: {
    most: 64 * MIB,
    unit: 'bytes',
    code: 'ASK_LIMIT',
    what: 'all questions of all sessions that wait for people',
    told: 'the agent, by an error answer; people, by a note in the record',
  },
} as const satisfies Record<string, Limit>;
