import type { JsonObject } from '@signalbox/protocol';
import type { Author, PermissionRequest, PromptDelivery, ResetReason } from '@signalbox/protocol/hub';

/** One process of an agent, as it was noted beside it. */
export interface AgentRun {
  pid: number;
  said: string[];
  heard: string[];
  /** `killed`: it ended with its bridge, and what was in its pipes is gone. */
  end: 'killed' | 'whole';
}

/** A line of the hub's record, as its bytes are. */
export interface RecordEntry {
  seq: number;
  author: Author;
  raw: string;
}

/** The record as it was after a kill of the hub. */
export interface Reading {
  raws: string[];
  /** The newest entry that a viewer had seen before the kill. */
  seen: number;
}

/** What one viewer wrote down, over all of its lives. */
export interface View {
  viewer: string;
  /** `text` is null where the entry was damaged. */
  entries: ({ seq: number; check: number; text: string | null } | { reset: ResetReason })[];
}

/** A prompt that the hub said it has. */
export interface AdmittedPrompt {
  clientId: string;
  id: string;
  delivery: PromptDelivery;
}

/** What somebody who answered was told. */
export interface ToldAnswer {
  session: string;
  requestId: string;
  isFirst: boolean;
  state: string;
  response: JsonObject | undefined;
}

/** All that is known of a session when it is quiet. */
export interface Evidence {
  session: string;
  /** Oldest first. */
  runs: AgentRun[];
  record: RecordEntry[];
  readings: Reading[];
  views: View[];
  /** Every word of the hub that a prompt is admitted, in the order in which the prompts were sent. */
  admitted: AdmittedPrompt[];
  told: ToldAnswer[];
  /** What the hub holds of each question in the end. */
  permissions: PermissionRequest[];
  /** The request ids of the audit log's decisions. */
  decisions: string[];
}
