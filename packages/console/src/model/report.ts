import { textAt } from '@signalbox/protocol';
import { blocksIn, textIn } from './content.ts';
import type { CallItem } from './item.ts';

/** What starts a sub-agent. */
const AGENT_TOOLS = new Set(['Task', 'Agent']);

/**
 * What a sub-agent reported at its end, in Markdown; empty when the last of its words, which are under the call, say the same,
 * and undefined for a call that was answered by no sub-agent.
 */
export function reportOf({ name, state, result, children }: CallItem): string | undefined {
  if (!AGENT_TOOLS.has(name) || state !== 'done' || !result) return undefined;
  // Beside the report the text has notes for the model: the agent's id, what it used.
  const report = textIn(blocksIn(result.structured)) || result.text;
  const last = children.findLast(({ kind }) => kind === 'text');
  return textAt(last, 'text').trim() === report.trim() ? '' : report;
}
