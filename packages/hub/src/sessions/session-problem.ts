import {
  hasMoreValues,
  isJsonObject,
  type JsonObject,
  LIMITS,
  listAt,
  textAt,
  turnOutcome,
  type WireLine,
} from '@signalbox/protocol';
import type { SessionProblem } from '@signalbox/protocol/hub';

/** How much of what went wrong a session tells. */
const PROBLEM_LENGTH = 1000;

/** Only lines that hold this are read for it: an agent says little else as often as `assistant`. */
const NO_CREDENTIALS = Buffer.from('"error":"authentication_failed"');

/** What keeps an agent from its work after it has said this; `known` is what did before. */
export function problemAfter(line: WireLine, known: SessionProblem | null): SessionProblem | null {
  const { type } = line.head();
  if (line.byteLength > LIMITS.askBytes.most) return known;
  if (type === 'assistant') return credentialsProblem(line) ?? known;
  return type === 'result' ? turnProblem(messageIn(line), known) : known;
}

/** An agent without a key answers with an error in the place of a reply. */
function credentialsProblem(line: WireLine): SessionProblem | undefined {
  if (!holds(line.bytes(), NO_CREDENTIALS)) return undefined;
  const { error, message } = messageIn(line);
  if (error !== 'authentication_failed') return undefined;
  const words = listAt(message, 'content').map((block) => textAt(block, 'text'));
  return { code: 'no_credentials', message: words.join('\n').slice(0, PROBLEM_LENGTH) };
}

/** The end of a turn repeats the error that came in the place of its reply. */
function turnProblem(result: JsonObject, known: SessionProblem | null): SessionProblem | null {
  const outcome = turnOutcome(result);
  if (outcome.how !== 'failed') return null;
  const message = outcome.problem.slice(0, PROBLEM_LENGTH);
  return known?.message === message ? known : { code: 'turn_failed', message };
}

/** Whether these bytes have a part: much faster than to read them. */
export function holds({ buffer, byteOffset, byteLength }: Uint8Array, part: Buffer): boolean {
  return Buffer.from(buffer, byteOffset, byteLength).includes(part);
}

/** A line as an object; an empty one when it is none, or has so many values that to read it would hold up everybody. */
export function messageIn(line: WireLine): JsonObject {
  try {
    const message = hasMoreValues(line.text(), LIMITS.bodyValues.most) ? undefined : line.json();
    return isJsonObject(message) ? message : {};
  } catch {
    return {};
  }
}
