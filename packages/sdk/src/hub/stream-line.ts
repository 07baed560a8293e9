import { isJsonObject, type JsonObject, parseJson } from '@signalbox/protocol';
import type { StreamMessage } from '@signalbox/protocol/hub';

/** What a line of the stream says; undefined for what no hub says: a proxy in between may say anything. */
export function messageIn(line: string): StreamMessage | undefined {
  try {
    const message = parseJson(line);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a hub says nothing else on its stream
    return isJsonObject(message) && isWhole(message) ? (message as unknown as StreamMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether it has what the stream and those who watch go by: an error over a missing field would end the program. */
function isWhole(message: JsonObject): boolean {
  const { type, session, first, last, seq, check, permissions, prompts } = message;
  const isNamed = typeof session === 'string' || (isJsonObject(session) && typeof session.id === 'string');
  if (type === 'ack' || type === 'error') return true;
  if (type === 'loop') return isJsonObject(message.loop) && typeof message.loop.id === 'string';
  if (type === 'loop-removed') return typeof message.loop === 'string';
  if (!isNamed) return false;
  switch (type) {
    case 'changes':
      return typeof session === 'string';
    case 'session':
      return isJsonObject(session);
    case 'sdk-message':
      return typeof seq === 'number' && typeof check === 'number' && isAuthor(message.author ?? { by: '' });
    case 'permission':
      return isAsk(message.permission);
    case 'prompt':
      return isPrompt(message.prompt);
    case 'presence':
      return areAll(message.joined, isJsonObject) && areAll(message.left, isJsonObject);
    case 'exit':
      return typeof (message.stderr ?? '') === 'string';
    case 'snapshot': {
      const hasNumbers = typeof first === 'number' && typeof last === 'number';
      return isJsonObject(session) && hasNumbers && areAll(permissions, isAsk) && areAll(prompts, isPrompt);
    }
    default:
      return true;
  }
}

function areAll(list: unknown, isOne: (item: unknown) => boolean): boolean {
  return Array.isArray(list) && list.every(isOne);
}

function isAsk(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value.requestId !== 'string' || !isJsonObject(value.request))
    return false;
  const { answer } = value;
  return !answer || (isJsonObject(answer) && isAuthor(answer.author) && isJsonObject(answer.response));
}

function isPrompt(value: unknown): boolean {
  return isJsonObject(value) && typeof value.id === 'string' && isAuthor(value.author);
}

function isAuthor(value: unknown): boolean {
  return isJsonObject(value) && typeof value.by === 'string';
}
