import type { JsonObject } from '@signalbox/protocol';

/** A tool call as the chat follows it. */
export interface ToolCard {
  id: string;
  name: string;
  input: JsonObject;
  state: 'running' | 'done' | 'failed';
  /** What a sub-agent called on behalf of this call, the oldest first. */
  calls: ToolCard[];
  /** What came back, as the model sees it. */
  text: string;
  /** What came back, as the tool structured it. */
  structured: unknown;
}
