import { agentWords, type CanUseToolRequest, spelledOut } from '@signalbox/protocol';
import { dim, type Line } from '../text/line.ts';
import { hang, wrapLine } from '../text/wrap-line.ts';
import { callPreview } from './call-preview.ts';

/** What is asked about in a request for a tool. */
export type AskedCall = Pick<
  CanUseToolRequest,
  'tool_name' | 'input' | 'description' | 'blocked_path' | 'decision_reason' | 'agent_id'
>;

/** What a call would do first, and after it what is said about it: nothing holds an agent to its own words. */
export function requestPreview(request: AskedCall, width: number, cwd: string): Line[] {
  const facts = [
    ['it says', agentWords(request)],
    ['where', request.blocked_path],
    ['why', request.decision_reason],
    ['who', request.agent_id && `sub-agent ${request.agent_id}`],
  ];
  return [
    ...callPreview(request.tool_name, request.input, width, cwd),
    ...facts.flatMap(([name, text]) => {
      if (!text) return [];
      const lead = `${name} `.padEnd(8);
      const words = spelledOut(text).replaceAll('\n', ' ');
      return hang([dim(lead)], wrapLine([dim(words)], Math.max(width - lead.length, 1)));
    }),
  ];
}
