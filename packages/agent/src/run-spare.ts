import type { Transport } from '@signalbox/transport';
import type { AgentOptions } from './command-line/agent-options.ts';
import { streamOutput } from './io/output.ts';
import { parkedSession } from './spare/parked-session.ts';
import { type ClaimedStart, SpareAgent } from './spare/spare-agent.ts';
import type { StartContext } from './start/start-context.ts';

/** Wait until the host says which session this is to be, and be it. Returns the exit code. */
export async function runSpare(
  options: AgentOptions,
  context: StartContext,
  transport: Transport,
  converse: (claimed: ClaimedStart) => Promise<number>,
): Promise<number> {
  const output = streamOutput(transport);
  const parked = await parkedSession(options, context, output);
  const spare = new SpareAgent({ options, context, transport, output, ...parked });
  const claimed = await spare.claimed();
  if (claimed) {
    process.chdir(claimed.context.cwd);
    return converse(claimed);
  }
  await output.finish();
  return spare.hasRefusedPrompts ? 1 : 0;
}
