import { LIMITS, SignalboxError } from '@signalbox/protocol';

/** How far one side has received what the other numbers: the lines up to `count` of an epoch. */
export interface LinkPosition {
  epoch: string;
  count: number;
}

/**
 * What the two ends of a lossless link say to each other. Lines travel in text frames, untouched; these travel
 * in binary frames, so that nothing an agent writes can be taken for one of them.
 */
export type LinkFrame =
  /** First on every connection: whose lines I send, and what I have of yours. */
  | { link: 'hello'; epoch: string; received: LinkPosition | null }
  /** The next line I send has this number. */
  | { link: 'start'; number: number }
  /** I have your lines up to this number, and will not ask for them again. */
  | { link: 'ack'; count: number }
  /** My reader is behind: send no more lines until I say `go`. */
  | { link: 'hold' }
  | { link: 'go' }
  /** I am about to leave, and cannot send again what your reader has not come to yet. */
  | { link: 'bye' };

/** The request and response header by which both ends agree on the lossless link. */
export const LINK_HEADER = 'x-signalbox-link';
export const LINK_VERSION = '1';

/** Names the error, by its code, for which an upgrade request was refused. */
export const ERROR_HEADER = 'x-signalbox-error';

/** The request header that names the process a client speaks for: what was meant for another is not for this one. */
export const RUN_HEADER = 'x-signalbox-run';

/** The peer said something that has no meaning on a lossless link, or not at this point. */
export class LinkProtocolError extends SignalboxError {
  constructor(what: string) {
    super('LINK_PROTOCOL', `The peer of a lossless link sent ${what}.`);
  }
}

export function encodeLinkFrame(frame: LinkFrame): Buffer {
  return Buffer.from(JSON.stringify(frame));
}

/** Throws {@link LinkProtocolError} when it is no frame of this version. */
export function decodeLinkFrame(data: Buffer): LinkFrame {
  const frame = data.length > LIMITS.linkFrameBytes.most ? undefined : frameOf(parse(data));
  if (!frame) throw new LinkProtocolError('an unknown binary frame');
  return frame;
}

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString());
  } catch {
    return undefined;
  }
}

function frameOf(value: unknown): LinkFrame | undefined {
  if (typeof value !== 'object' || value === null || !('link' in value)) return undefined;
  switch (value.link) {
    case 'hello': {
      if (!('epoch' in value) || typeof value.epoch !== 'string' || !('received' in value)) return undefined;
      const received = value.received === null ? null : positionOf(value.received);
      return received === undefined ? undefined : { link: 'hello', epoch: value.epoch, received };
    }
    case 'start':
      return 'number' in value && isCount(value.number) && value.number > 0
        ? { link: 'start', number: value.number }
        : undefined;
    case 'ack':
      return 'count' in value && isCount(value.count) ? { link: 'ack', count: value.count } : undefined;
    case 'hold':
    case 'go':
    case 'bye':
      return { link: value.link };
    default:
      return undefined;
  }
}

function positionOf(value: unknown): LinkPosition | undefined {
  if (typeof value !== 'object' || value === null || !('epoch' in value) || !('count' in value))
    return undefined;
  const { epoch, count } = value;
  return typeof epoch === 'string' && isCount(count) ? { epoch, count } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
