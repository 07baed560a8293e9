import { LIMITS, messageOf, SignalboxError, WireLine } from '@signalbox/protocol';
import { flawOf, type OutgoingLine } from '../outgoing-line.ts';
import { elementsOf, isBlank, memberOf } from './json-parts.ts';

const HEAD = Buffer.from('{"events":[');
const SEPARATOR = Buffer.from(',');
const TAIL = Buffer.from(']}');

const BODY_EXPECTED = `The body must be JSON like {"events":[<message>, …]}, with ${LIMITS.eventsPerPost.most} events at most.`;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** A line that is to travel in a JSON body is no JSON itself. */
export class LineNotJsonError extends SignalboxError {
  constructor(cause: unknown) {
    super('LINE_NOT_JSON', `A line sent over HTTP must be one JSON value: ${messageOf(cause)}.`, { cause });
  }
}

/** Posted events were not taken. The client hears why; this side goes on. */
export class EventsRefusedError extends SignalboxError {
  readonly status: number;

  constructor(status: number, message: string) {
    super('EVENTS_REFUSED', message);
    this.status = status;
  }
}

/** Why a line cannot travel as an event; undefined when it can. */
export function eventFlawOf(line: OutgoingLine): SignalboxError | undefined {
  const flaw = flawOf(line);
  if (flaw) return flaw;
  try {
    JSON.parse(typeof line === 'string' ? line : Buffer.from(line).toString());
    return undefined;
  } catch (error) {
    // It would change, or end, the list that it is put into.
    return new LineNotJsonError(error);
  }
}

/** The body of a POST that carries these lines, each as it is. */
export function encodeEvents(lines: readonly Uint8Array[]): Buffer {
  const parts: Uint8Array[] = [HEAD];
  for (const [index, line] of lines.entries()) {
    if (index > 0) parts.push(SEPARATOR);
    parts.push(line);
  }
  parts.push(TAIL);
  return Buffer.concat(parts);
}

/** The events of a body, each byte for byte as it was written. Takes the body over: line ends in it are blanked. */
export function decodeEvents(body: Uint8Array): WireLine[] {
  blankLineEnds(body);
  const list = memberOf(body, 'events');
  const events = list && elementsOf(list);
  if (!events || events.some(isBlank)) throw new EventsRefusedError(400, BODY_EXPECTED);
  return events.map(lineOf);
}

/** A line end between the tokens of an event is mere white space there, and would make two lines of it here. */
function blankLineEnds(body: Uint8Array): void {
  for (let at = body.indexOf(NEWLINE); at !== -1; at = body.indexOf(NEWLINE, at + 1)) body[at] = SPACE;
}

function lineOf(event: Uint8Array): WireLine {
  return WireLine.of(event[event.length - 1] === CARRIAGE_RETURN ? event.subarray(0, -1) : event);
}
