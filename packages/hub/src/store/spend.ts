import type { JsonObject } from '@signalbox/protocol';
import type { SpendGroup } from '@signalbox/protocol/hub';

/** What was used, and what it cost; a correction may be less than nothing. */
export interface Use {
  usd: number;
  input: number;
  output: number;
  cacheWrite: number;
  cacheRead: number;
}

/** What a line has cost: of one model, for one person, on one day. */
export interface SpendRow extends Use {
  /** Of the hub's own clock: `2026-11-18`. */
  day: string;
  folder: string | null;
  model: string;
  /** Who prompted. */
  person: string | null;
  turns: number;
}

/**
 * What a line of a session has cost. It is counted only when the line becomes part of the record, in the same commit: a line
 * that comes again is not paid again.
 */
export interface LineSpend {
  rows: readonly SpendRow[];
  /** How far the session's agent was counted, in the place of what was kept before. */
  meter: JsonObject;
}

/** What was spent, summed up. */
export interface SpendSum extends Use {
  key: string | null;
  turns: number;
}

/** Which spend is summed up: from a day to another, both included. */
export interface SpendQuery {
  by: SpendGroup;
  since?: string | undefined;
  until?: string | undefined;
  session?: string | undefined;
  /** There or below. */
  folder?: string | undefined;
}

/** What was spent in a folder, ever and on one day. Tokens are those that budgets count. */
export interface FolderSpend {
  folder: string | null;
  usd: number;
  tokens: number;
  usdOfDay: number;
  tokensOfDay: number;
}

/** What agents have spent. It outlives sessions and the entries of their records. */
export interface Spend {
  sums(query: SpendQuery): Promise<SpendSum[]>;
  /** Every folder with what was spent there. */
  folders(day: string): Promise<FolderSpend[]>;
  /** How far a session's agent was counted; undefined before it has spent anything. */
  meter(session: string): Promise<JsonObject | undefined>;
}
