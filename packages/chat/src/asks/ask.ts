import type { OutboundPermissionResult, PermissionMode } from '@signalbox/protocol';
import type { Key } from '../terminal/key-decoder.ts';
import type { Line } from '../text/line.ts';

/** A person's answer to an agent's question. */
export interface Answer {
  result: OutboundPermissionResult;
  /** The mode that it brings with it. */
  mode?: PermissionMode | 'before plan';
}

/** A question of an agent, on the screen until it is answered or taken back. */
export interface Ask {
  /** Changes when something else is asked than before. */
  readonly step: number;
  /** An answer ends the question; undefined goes on. */
  onKey(key: Key): Answer | undefined;
  /** What was typed so far, while keys are text and nothing else. */
  typed(): string | undefined;
  view(room: AskRoom): AskView;
  /** All of what is judged, where the view may have room for a part only. */
  whole(width: number): Line[];
}

/** What a question may take of the screen. */
export interface AskRoom {
  width: number;
  rows: number;
  /** Whether it has just appeared, and takes no key yet. */
  isFresh?: boolean;
}

/** In place of what the keys do. */
export const FRESH_HINT = 'One moment …';

/** How a question looks. */
export interface AskView {
  lines: Line[];
  cursor?: { x: number; y: number } | undefined;
}

/** The answer to Esc: no, and stop. */
export const REFUSED_AND_STOPPED: Answer = {
  result: {
    behavior: 'deny',
    message: 'The user refused this tool call and stopped the turn. Wait for what they say.',
    interrupt: true,
  },
};

/** No, with the person's reason when they gave one. */
export function refused(reason: string): Answer {
  const message = reason
    ? `The user refused this tool call and said: ${reason}`
    : 'The user refused this tool call. Do not try it again in another way; ask them what they want.';
  return { result: { behavior: 'deny', message } };
}
