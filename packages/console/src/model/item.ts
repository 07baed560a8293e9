import type { JsonObject } from '@signalbox/protocol';
import type { AttachedFile } from './attached-file.ts';

/**
 * `writing`: the model has not finished the call. `interrupted`: somebody stopped the turn. `stopped`: its turn or its agent
 * ended before it did.
 */
export type CallState =
  | 'writing'
  | 'asking'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  | 'interrupted'
  | 'stopped';

/** How a note is meant; a mark is where a conversation or its files became others. */
export type Tone = 'quiet' | 'warning' | 'error' | 'mark';

/** What somebody wrote to the agent. */
export interface PromptItem {
  kind: 'prompt';
  key: string;
  seq: number;
  who: string;
  time: number | undefined;
  text: string;
  /** Addresses of images, as data. */
  images: readonly string[];
  /** Files that went along as text. */
  files: readonly AttachedFile[];
}

/** What the model said, in Markdown, or thought. */
export interface ReplyItem {
  kind: 'text' | 'thinking';
  key: string;
  /** The entry of the record that it is in; undefined while it is being written. */
  seq: number | undefined;
  text: string;
  /** It is being written. */
  isLive: boolean;
}

/** What a tool answered. */
export interface CallResult {
  text: string;
  images: readonly string[];
  /** What the agent says about it beside the text, for example the changed lines. */
  structured: unknown;
}

/** A tool call, from its first letter to its result. */
export interface CallItem {
  kind: 'call';
  key: string;
  id: string;
  /** The entry of the record that it is in; undefined while it is being written. */
  seq: number | undefined;
  name: string;
  input: JsonObject;
  state: CallState;
  result: CallResult | undefined;
  /** When it was made and answered, by the hub's clock; undefined where that is not known. */
  startedAt: number | undefined;
  endedAt: number | undefined;
  /** Who allowed or denied it. */
  decidedBy: string | undefined;
  /** What the sub-agent says that the call started. */
  children: readonly Item[];
}

/** What a turn changed in the folder. */
export interface TurnDifference {
  /** The entry with which it ended. */
  turn: number;
  files: number;
  added: number;
  removed: number;
}

/** The end of a turn. */
export interface TurnEndItem {
  kind: 'turn-end';
  key: string;
  durationMs: number | undefined;
  costUsd: number | undefined;
  isInterrupted: boolean;
  /** Why it did not end well. */
  problem: string | undefined;
  /** Undefined where nothing changed, or nobody has said so yet. */
  changes: TurnDifference | undefined;
}

/** Something that happened beside the conversation. */
export interface NoteItem {
  kind: 'note';
  key: string;
  tone: Tone;
  text: string;
  /** What is there for those who want to know more. */
  detail: string | undefined;
  /** The session that it leads to. */
  session: string | undefined;
  /** One of several attempts: only the last of those that follow each other is of interest. */
  isAttempt?: true;
}

/** What an agent says of itself when it starts. */
export interface StartItem {
  kind: 'start';
  key: string;
  model: string;
  folder: string;
}

/** A message that nobody here knows: shown as it is. */
export interface UnknownItem {
  kind: 'unknown';
  key: string;
  title: string;
  source: string;
}

/** A row of a transcript. Items are never changed: another one takes their place. */
export type Item = PromptItem | ReplyItem | CallItem | TurnEndItem | NoteItem | StartItem | UnknownItem;

/** Rows that follow each other; another one with the same key takes its place when one of them changes. */
export interface ItemGroup {
  key: string;
  items: readonly Item[];
}
