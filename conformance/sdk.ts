import type { JsonObject } from '@signalbox/protocol';
import type { ProgramId } from './program.ts';

/** The part of a running query of the official SDK that the scenarios use. */
export interface SdkQuery extends AsyncIterable<JsonObject> {
  interrupt(): Promise<unknown>;
  setModel(model?: string): Promise<void>;
  setPermissionMode(mode: string): Promise<void>;
  rewindFiles(userMessageId: string, options?: { dryRun?: boolean }): Promise<JsonObject>;
  supportedCommands(): Promise<JsonObject[]>;
  mcpServerStatus(): Promise<JsonObject[]>;
  close(): void;
}

export interface SdkCall {
  prompt: string | AsyncIterable<JsonObject>;
  options: JsonObject;
}

/** The part of the official SDK's module that the scenarios use. */
export interface SdkModule {
  query(call: SdkCall): SdkQuery;
  /** A tool of the host: name, description, zod fields, and what it does. */
  tool(
    name: string,
    description: string,
    fields: Readonly<Record<string, unknown>>,
    run: (input: JsonObject) => Promise<JsonObject>,
  ): unknown;
  createSdkMcpServer(options: { name: string; tools: readonly unknown[] }): unknown;
}

/** A version of the official SDK, and the CLI it was published for. */
export interface Sdk extends SdkModule {
  readonly version: string;
  readonly cli: Exclude<ProgramId, 'ours'>;
}
