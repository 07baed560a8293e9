import { isJsonObject, listAt, textAt, type WireLine } from '@signalbox/protocol';
import type { PromptContent, SessionFacts } from '@signalbox/protocol/hub';

/** A title that nobody gave is the start of the first prompt. */
const TITLE_LENGTH = 80;

/** What a line of the agent, or of its bridge, says about the session; undefined when nothing. */
export function factsIn(line: WireLine): Partial<SessionFacts> | undefined {
  const head = line.head();
  if (head.type === 'system') return head.subtype === 'init' ? initFacts(line) : undefined;
  return head.type === 'bridge' ? bridgeFacts(line) : undefined;
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
  const words = typeof content === 'string' ? content : content.map(({ text }) => text).find(isText);
  const [first = ''] = words?.trim().split('\n') ?? [];
  return (first.length > TITLE_LENGTH ? `${first.slice(0, TITLE_LENGTH - 1).trimEnd()}…` : first) || null;
}

function isText(text: unknown): text is string {
  return typeof text === 'string';
}

function initFacts(line: WireLine): Partial<SessionFacts> {
  const { cwd, model, permissionMode } = messageIn(line);
  return {
    ...(typeof cwd === 'string' ? { folder: cwd } : {}),
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof permissionMode === 'string' ? { mode: permissionMode } : {}),
  };
}

function bridgeFacts(line: WireLine): Partial<SessionFacts> | undefined {
  const { subtype, command, cwd, code, signal, stderr, message } = messageIn(line);
  const lastWords = stderr ?? message;
  if (subtype === 'started') {
    return {
      exit: null,
      ...(typeof cwd === 'string' ? { folder: cwd } : {}),
      ...(Array.isArray(command) ? { agent: command.join(' ') } : {}),
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

function messageIn(line: WireLine): Record<string, unknown> {
  try {
    const message = line.json();
    return isJsonObject(message) ? message : {};
  } catch {
    return {};
  }
}
