import { messageOf } from '@signalbox/protocol';
import type { Command, CommandContext } from '../commands/command.ts';
import { saidIn } from '../loop/session-core.ts';
import type { Ending } from '../loop/turn-result.ts';

/** Run a command that the model need not be asked for, and tell the host what it says. A compaction tells `init` itself. */
export async function runLocalCommand(
  command: Extract<Command, { kind: 'local' }>,
  args: string,
  context: CommandContext,
  tellInit: () => Promise<void>,
): Promise<Ending> {
  const { core, thread, signal } = context;
  let text: string;
  try {
    if (command.name !== 'compact') await tellInit();
    text = await command.run(args, context);
  } catch (error) {
    if (signal.aborted) return { how: 'interrupted', during: 'streaming' };
    return { how: 'failed', error: error instanceof Error ? error : new Error(messageOf(error)) };
  }
  if (text !== '') {
    const content = `<local-command-stdout>${text}</local-command-stdout>`;
    const message = { role: 'user', content } as const;
    await core.send({ type: 'user', message, ...saidIn(thread, core), isReplay: true });
  }
  // Hosts know a compaction by an empty result.
  return { how: 'done', text: command.name === 'compact' ? '' : text, localCommand: command.name };
}
