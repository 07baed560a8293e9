import {
  LIMITS,
  listAt,
  parseBridgeReport,
  SignalboxError,
  textAt,
  type WireLine,
} from '@signalbox/protocol';
import type { PromptContent, SessionFacts } from '@signalbox/protocol/hub';
import { clipFacts } from '../store/clip-facts.ts';
import { messageIn } from './session-problem.ts';

/** A title that nobody gave is the start of the first prompt. */
const TITLE_LENGTH = 80;

/** What is kept of a prompt for whoever looks for its session. */
const LAST_PROMPT_LENGTH = 200;

/** A fact is longer than the list of sessions takes. */
export class FactTooLongError extends SignalboxError {
  constructor() {
    super(
      'FACT_TOO_LONG',
      `A folder, a model, a mode or a command of a session may have ${LIMITS.factLength.most} characters. It is left out.`,
    );
  }
}

/** What a line of the agent, or of its bridge, says about the session, and what of it is left out. */
export function factsIn(line: WireLine): { facts?: Partial<SessionFacts>; problem?: FactTooLongError } {
  const { type, subtype } = line.head();
  const isNews = type === 'bridge' || (type === 'system' && subtype === 'init');
  if (!isNews) return {};
  if (line.byteLength > LIMITS.askBytes.most) return { problem: new FactTooLongError() };
  const told = type === 'bridge' ? bridgeFacts(line) : initFacts(line);
  if (!told) return {};
  const facts = clipFacts(told);
  const isWhole = Object.keys(facts).length === Object.keys(told).length;
  return isWhole ? { facts } : { facts, problem: new FactTooLongError() };
}

/** Whether a bridge says that it has started another agent. */
export function isBridgeStart(line: WireLine): boolean {
  const head = line.head();
  return head.type === 'bridge' && head.subtype === 'started';
}

/** The mode that an answer puts the agent into; undefined when it leaves it alone. */
export function modeIn(response: unknown): string | undefined {
  const changes = listAt(response, 'updatedPermissions').filter(
    (update) => textAt(update, 'type') === 'setMode',
  );
  return textAt(changes.at(-1), 'mode') || undefined;
}

/** What a session is called after its first prompt; null when that has no words. */
export function titleOf(content: PromptContent): string | null {
  // A prompt may have millions of lines.
  const words = wordsIn(content).trim();
  const end = words.indexOf('\n');
  const title = startOf(end < 0 ? words : words.slice(0, end), TITLE_LENGTH);
  // A copy: a part of a long text would keep all of it in memory.
  return title && Buffer.from(title).toString();
}

/** A prompt in one line; null when it has no words. */
export function lastPromptOf(content: PromptContent): string | null {
  // What is cut off must not cost a search: prompts may be long.
  const start = wordsIn(content)
    .trimStart()
    .slice(0, 2 * LAST_PROMPT_LENGTH);
  return startOf(start.replace(/\s+/g, ' ').trim(), LAST_PROMPT_LENGTH);
}

function wordsIn(content: PromptContent): string {
  return typeof content === 'string' ? content : (content.map(({ text }) => text).find(isText) ?? '');
}

function startOf(line: string, length: number): string | null {
  return (line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line) || null;
}

function isText(text: unknown): text is string {
  return typeof text === 'string';
}

function initFacts(line: WireLine): Partial<SessionFacts> {
  const { cwd, model, permissionMode, session_id: id } = messageIn(line);
  return {
    ...(typeof id === 'string' ? { agentSession: id } : {}),
    ...(typeof cwd === 'string' ? { folder: cwd } : {}),
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof permissionMode === 'string' ? { mode: permissionMode } : {}),
  };
}

/** Undefined also for what no bridge says: an agent that dials in itself can write anything. */
function bridgeFacts(line: WireLine): Partial<SessionFacts> | undefined {
  const { subtype, command, cwd, code, signal, stderr, message } = reportIn(line);
  const lastWords = stderr ?? message;
  if (subtype === 'started') {
    return {
      exit: null,
      problem: null,
      ...(typeof cwd === 'string' ? { folder: cwd } : {}),
      ...(Array.isArray(command) ? { agent: command.filter(isText).join(' ') } : {}),
    };
  }
  if (subtype !== 'exited' && subtype !== 'failed') return undefined;
  return {
    exit: {
      code: typeof code === 'number' ? code : null,
      signal: typeof signal === 'string' ? signal : null,
      stderr: typeof lastWords === 'string' ? lastWords : '',
    },
  };
}

function reportIn(line: WireLine): Record<string, unknown> {
  try {
    return parseBridgeReport(messageIn(line));
  } catch {
    return {};
  }
}
