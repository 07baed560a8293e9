/** Programs that a host drives; which one is the first argument. */
import { writeSync } from 'node:fs';
import { createStdioTransport } from '../../src/stdio/own-stdio.ts';

const transport = createStdioTransport();

const programs: Record<string, () => Promise<void>> = {
  /** Fills its stdout, and says on stderr what it still hears. */
  async 'flood-and-listen'() {
    const flooding = (async () => {
      for (let n = 0; n < 10_000; n += 1) await transport.send('x'.repeat(10_000));
    })();
    flooding.catch(() => {});
    for await (const line of transport.receive()) writeSync(2, `heard ${line.text()}\n`);
  },

  /** Answers when its input is over, as an agent does that was given one prompt. */
  async 'answer-after-end'() {
    const heard: string[] = [];
    for await (const line of transport.receive()) heard.push(line.text());
    for (const n of [1, 2, 3]) await transport.send(`${transport.state}, heard ${heard.join()}, answer ${n}`);
    await transport.close();
  },

  /** Exits right after close(), with much under way. */
  async 'close-and-exit'() {
    for (let n = 0; n < 4000; n += 1) void transport.send(`${n} ${'x'.repeat(1000)}`);
    await transport.close();
    process.exit(0);
  },

  /** Closes while its host still holds its input open. */
  async 'close-and-return'() {
    await transport.send('1');
    await transport.close();
  },

  /** Writes until nobody reads, and says on stderr what became of it. */
  async 'write-until-refused'() {
    const state = new Promise((resolve) => transport.onStateChange(resolve));
    try {
      for (let n = 0; n < 10_000; n += 1) await transport.send('x'.repeat(10_000));
    } catch (error) {
      writeSync(2, JSON.stringify({ error, state: await state }));
    }
  },
};

await programs[process.argv[2] ?? '']?.();
