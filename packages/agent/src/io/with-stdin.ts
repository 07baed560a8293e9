import type { WireLine } from '@signalbox/protocol';
import type { Transport } from '@signalbox/transport';
import { withLines } from './with-lines.ts';

/** A host that was dialled, and stdin, heard as one: whoever started the agent may have a word too. The host's end is the end. */
export function withStdin(host: Transport, stdin: AsyncIterable<WireLine>): Transport {
  return withLines(host, () => merged(host.receive(), stdin));
}

async function* merged(
  host: AsyncIterable<WireLine>,
  stdin: AsyncIterable<WireLine>,
): AsyncGenerator<WireLine> {
  const waiting: { line: WireLine; taken: () => void }[] = [];
  let wake: () => void = () => {};
  // A source is read on only when its last line was taken: neither can fill the memory.
  const read = async (source: AsyncIterable<WireLine>): Promise<void> => {
    for await (const line of source) {
      await new Promise<void>((taken) => {
        waiting.push({ line, taken });
        wake();
      });
    }
  };
  let end: { error?: unknown } | undefined;
  const finish = (how: { error?: unknown }): void => {
    end ??= how;
    wake();
  };
  read(host).then(
    () => finish({}),
    (error: unknown) => finish({ error }),
  );
  // Stdin that cannot be read says nothing, as one that has ended.
  read(stdin).catch(() => {});
  while (true) {
    const next = waiting.shift();
    if (next) {
      yield next.line;
      next.taken();
    } else if (end) {
      if ('error' in end) throw end.error;
      return;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}
