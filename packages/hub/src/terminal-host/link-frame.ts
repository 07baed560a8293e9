import type {
  TerminalClientMessage,
  TerminalExit,
  TerminalPosition,
  TerminalSize,
} from '@signalbox/protocol/hub';

/** A frame between a terminal's process and the hub: of one viewer, by its channel, or of the terminal itself. */
export interface LinkFrame {
  kind: 'bytes' | 'message';
  channel: number;
  payload: Buffer;
}

/** The channel of the terminal itself. */
export const OWN_CHANNEL = 0;

/** What the hub says to a terminal's process. */
export type TerminalOrder =
  | { type: 'open'; mayType: boolean; at?: TerminalPosition; scrollback?: number; size?: TerminalSize }
  | Exclude<TerminalClientMessage, { type: 'attach' }>
  | { type: 'close' }
  /** On the terminal's own channel: hang up, and end all that it started. */
  | { type: 'end' };

/** What a terminal's process says on its own channel. */
export interface TerminalReport {
  type: 'exited';
  exit: TerminalExit;
}

const HEADER_BYTES = 5;
const BYTES = 0;
const MESSAGE = 1;

export function encodeBytes(channel: number, bytes: Uint8Array): Buffer {
  return encode(BYTES, channel, bytes);
}

export function encodeMessage(channel: number, message: object): Buffer {
  return encode(MESSAGE, channel, Buffer.from(JSON.stringify(message)));
}

/** Undefined for what is no frame. */
export function decodeFrame(frame: Buffer): LinkFrame | undefined {
  if (frame.length < HEADER_BYTES) return undefined;
  return {
    kind: frame.readUInt8(0) === MESSAGE ? 'message' : 'bytes',
    channel: frame.readUInt32BE(1),
    payload: frame.subarray(HEADER_BYTES),
  };
}

function encode(kind: number, channel: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  frame.writeUInt8(kind, 0);
  frame.writeUInt32BE(channel, 1);
  frame.set(payload, HEADER_BYTES);
  return frame;
}
