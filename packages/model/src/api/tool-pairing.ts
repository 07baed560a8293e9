import { ApiError } from './api-error.ts';
import { blocksOf, type RequestBlock, type RequestMessage } from './request.ts';

interface Run {
  readonly role: string;
  readonly index: number;
  readonly blocks: RequestBlock[];
}

/** Consecutive messages of one role count as one message; system messages do not separate them. */
function runsOf(messages: readonly RequestMessage[]): Run[] {
  const runs: Run[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system') continue;
    const last = runs.at(-1);
    const run = last?.role === message.role ? last : { role: message.role, index, blocks: [] };
    for (const block of blocksOf(message.content)) run.blocks.push(block);
    if (run !== last) runs.push(run);
  }
  return runs;
}

function idsOf(run: Run | undefined, type: 'tool_use' | 'tool_result'): string[] {
  const key = type === 'tool_use' ? 'id' : 'tool_use_id';
  return (run?.blocks ?? []).filter((block) => block.type === type).map((block) => String(block[key]));
}

/** Refuses what the real API refuses: a tool call without its result, or a result without its call. */
export function checkToolPairing(messages: readonly RequestMessage[]): void {
  const runs = runsOf(messages);
  for (const [i, run] of runs.entries()) {
    const next = runs[i + 1];
    if (run.role === 'assistant' && next) {
      const answered = new Set(idsOf(next, 'tool_result'));
      const open = idsOf(run, 'tool_use').filter((id) => !answered.has(id));
      if (open.length > 0) {
        throw new ApiError(
          400,
          `messages.${run.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}`,
        );
      }
    }
    const called = new Set(idsOf(runs[i - 1], 'tool_use'));
    const stray = idsOf(run, 'tool_result').filter((id) => !called.has(id));
    if (stray.length > 0) {
      throw new ApiError(
        400,
        `messages.${run.index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray.join(', ')}`,
      );
    }
  }
}
