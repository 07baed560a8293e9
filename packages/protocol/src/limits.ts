/** How much of something is taken from outside, and what happens to more. docs/LIMITS.md lists them all. */
export interface Limit {
  /** The largest number that is still taken. */
  readonly most: number;
  readonly unit: 'bytes' | 'levels' | 'characters' | 'items' | 'seconds';
  /** The code of the error that more than that ends in (docs/ERRORS.md). */
  readonly code: string;
  /** What is counted. */
  readonly what: string;
  /** Who hears of it when there is more. */
  readonly told: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/**
 * Every limit of what is read from outside, by its name. Whoever reads lines, bodies or frames names one of these.
 * What merely waits (a queue that stops reading) is not here: it refuses nothing.
 */
export const LIMITS = {
  lineBytes: {
    most: 64 * MIB,
    unit: 'bytes',
    code: 'LINE_TOO_LONG',
    what: 'one line of NDJSON, over any transport',
    told: 'the reader, which skips the line',
  },
  lineDepth: {
    most: 512,
    unit: 'levels',
    code: 'JSON_TOO_DEEP',
    what: 'one line, answer or event of a peer, whoever reads it',
    told: 'the peer, by an error answer to what it asks; the record keeps the line, with a note of the hub',
  },
  contentDepth: {
    most: 500,
    unit: 'levels',
    code: 'JSON_TOO_DEEP',
    what: 'what is put into other messages: bodies and frames of the API, what agents ask, inputs of tools',
    told: 'the client, by a 400 or an error; an agent or a model, by an error answer',
  },
  requestsInWork: {
    most: 10_000,
    unit: 'items',
    code: 'CONTROL_REFUSED',
    what: 'control requests of one peer that are worked on at once',
    told: 'the peer, by an error answer',
  },
  unreadRequestBytes: {
    most: 16 * MIB,
    unit: 'bytes',
    code: 'AGENT_NOT_READING',
    what: 'what an agent was asked and has not read',
    told: 'whoever asks one more, by a 503',
  },
  frameBytes: {
    most: 65 * MIB,
    unit: 'bytes',
    code: 'LINE_TOO_LONG',
    what: 'one WebSocket frame of an agent, a bridge, a host or a hub: the longest line, and what came with it',
    told: 'the sender, by the close of its connection',
  },
  eventsBodyBytes: {
    most: 64.5 * MIB,
    unit: 'bytes',
    code: 'EVENTS_REFUSED',
    what: 'the body of one POST of a hybrid agent',
    told: 'the agent, by a 413',
  },
  eventsPerPost: {
    most: 8192,
    unit: 'items',
    code: 'EVENTS_REFUSED',
    what: 'the events of one POST of a hybrid agent',
    told: 'the agent, by a 400',
  },
  postsAtOnce: {
    most: 4,
    unit: 'items',
    code: 'EVENTS_REFUSED',
    what: 'POSTs of one hybrid agent at once',
    told: 'the agent, by a 429',
  },
  replyLength: {
    most: 8 * MIB,
    unit: 'characters',
    code: 'MODEL_FAILED',
    what: 'one reply of a model, with its thoughts and the inputs of its tools',
    told: 'the host, by the end of the turn',
  },
  replyEventBytes: {
    most: 8 * MIB,
    unit: 'bytes',
    code: 'MODEL_FAILED',
    what: 'one event of a reply of a model',
    told: 'the host, by the end of the turn',
  },
  linkFrameBytes: {
    most: KIB,
    unit: 'bytes',
    code: 'LINK_PROTOCOL',
    what: 'one frame of the lossless link itself',
    told: 'the peer, by the close of its connection',
  },
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
  bodyBytes: {
    most: 32 * MIB + 64 * KIB,
    unit: 'bytes',
    code: 'BODY_TOO_LONG',
    what: 'the body of a request to the API, and one frame on /api/stream: a prompt, and what is around it',
    told: 'the client, by a 413, or by the close of its stream',
  },
  requestBytes: {
    most: MIB,
    unit: 'bytes',
    code: 'BODY_TOO_LONG',
    what: 'the body of a request to the API that carries no prompt',
    told: 'the client, by a 413',
  },
  answerBytes: {
    most: 8 * MIB,
    unit: 'bytes',
    code: 'BODY_TOO_LONG',
    what: 'the body of an answer to what an agent asks',
    told: 'the client, by a 413',
  },
  bodyValues: {
    most: 100_000,
    unit: 'items',
    code: 'TOO_MANY_VALUES',
    what: 'the values, names and commas of a JSON body or frame of the API, of what a host says, and of what an agent asks or tells of its session',
    told: 'the client, by a 413 or an error; the agent, by an error answer',
  },
  watchedFrameBytes: {
    most: MIB,
    unit: 'bytes',
    code: 'BODY_TOO_LONG',
    what: 'one frame on /api/stream, inflated, or one line on /wire or /ws, of a viewer that may not send prompts',
    told: 'the viewer, by the close of its connection',
  },
  frameLines: {
    most: 1000,
    unit: 'items',
    code: 'TOO_MANY_LINES',
    what: 'the lines of one frame on /api/stream',
    told: 'the viewer, by an error and the close of its stream',
  },
  signInBodyBytes: {
    most: 4 * KIB,
    unit: 'bytes',
    code: 'BODY_TOO_LONG',
    what: 'the body of a sign-in, which anybody may send',
    told: 'the client, by a 413',
  },
  signInSeconds: {
    most: 10,
    unit: 'seconds',
    code: 'BODY_TOO_SLOW',
    what: 'how long the body of a sign-in takes to arrive',
    told: 'the client, by a 408',
  },
  bodyPauseSeconds: {
    most: 30,
    unit: 'seconds',
    code: 'BODY_TOO_SLOW',
    what: 'how long nothing arrives of the body of a request',
    told: 'the client, by a 408; a hybrid agent with `EVENTS_REFUSED`',
  },
  importBytes: {
    most: 16 * GIB,
    unit: 'bytes',
    code: 'BODY_TOO_LONG',
    what: 'a session that is imported',
    told: 'the client, by a 413',
  },
  importLineBytes: {
    most: 160 * MIB,
    unit: 'bytes',
    code: 'LINE_TOO_LONG',
    what: 'one line of a session that is imported: a line of the record, which quotes may double',
    told: 'the client, by a 413',
  },
  transcriptBytes: {
    most: 64 * MIB,
    unit: 'bytes',
    code: 'BODY_TOO_LONG',
    what: 'a conversation that is given out as a transcript',
    told: 'the client, by a 413',
  },
  idempotencyKeyLength: {
    most: 200,
    unit: 'characters',
    code: 'REQUEST_INVALID',
    what: 'an Idempotency-Key',
    told: 'the client, by a 400',
  },
  keptKeys: {
    most: 100_000,
    unit: 'items',
    code: 'STORE_LIMIT',
    what: 'requests of one token with an Idempotency-Key within a day',
    told: 'the client, by a 413: nothing was done',
  },
  keptAnswerBytes: {
    most: 64 * MIB,
    unit: 'bytes',
    code: 'OUTCOME_UNKNOWN',
    what: 'all answers that are kept for one token and its keys',
    told: 'whoever repeats a request whose answer was not kept and that cannot be done again, by a 409',
  },
  hubAnswerBytes: {
    most: 160 * MIB,
    unit: 'bytes',
    code: 'HUB_REFUSED',
    what: 'one answer of a hub to a client of the SDK',
    told: 'the program, by a `HubRefusedError` with the reason `ANSWER_TOO_LONG`',
  },
  operations: {
    most: 100,
    unit: 'items',
    code: 'TOO_MANY_OPERATIONS',
    what: 'operations of one viewer on /api/stream that are under way',
    told: 'the viewer, by an error that names its message',
  },
  subscriptions: {
    most: 100,
    unit: 'items',
    code: 'TOO_MANY_SUBSCRIPTIONS',
    what: 'sessions that one connection watches',
    told: 'the viewer, by an error that names its message',
  },
  deviceViewers: {
    most: 200,
    unit: 'items',
    code: 'DEVICE_LIMIT',
    what: 'connections to /api/stream, /wire and /ws with one token',
    told: 'whoever opens one more, by a 429',
  },
  deviceAgents: {
    most: 5000,
    unit: 'items',
    code: 'DEVICE_LIMIT',
    what: 'connections of agents and bridges with one token',
    told: 'the agent that dials, by a 429; it tries again',
  },
  deviceRequests: {
    most: 200,
    unit: 'items',
    code: 'DEVICE_LIMIT',
    what: 'requests with one token that are being answered, or whose answers were not read',
    told: 'the client that sends one more, by a 429',
  },
  deviceDownloads: {
    most: 4,
    unit: 'items',
    code: 'DEVICE_LIMIT',
    what: 'transcripts, exports and answers of more than 1 MiB with one token that were not read to their end',
    told: 'the client that asks for one more, by a 429',
  },
  failedSignIns: {
    most: 10,
    unit: 'items',
    code: 'SIGN_IN_LIMIT',
    what: 'sign-ins of one address that fail within a minute',
    told: 'whoever tries again, by a 429',
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
  requestIdLength: {
    most: 1000,
    unit: 'characters',
    code: 'CONTROL_REFUSED',
    what: 'the id of a question of an agent, which is not empty',
    told: 'the agent, by an error answer',
  },
  factLength: {
    most: 4096,
    unit: 'characters',
    code: 'FACT_TOO_LONG',
    what: 'a folder, a model, a mode or a command line that an agent or its bridge tells of its session',
    told: 'people, by a note in the record: the list of sessions does not have it',
  },
  storeQueueBytes: {
    most: 256 * MIB,
    unit: 'bytes',
    code: 'STORE_BUSY',
    what: 'what waits to be stored',
    told: 'the caller; a client by a 503, an agent is read no further',
  },
} as const satisfies Record<string, Limit>;
