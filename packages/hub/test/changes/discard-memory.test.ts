import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChangesStage, good, TestRepository } from '@signalbox/testing/hub/changes-stage';
import { describe, expect, it } from 'vitest';

describe('a discard of long files', () => {
  it('[CG1848] a discard holds no more than a part of one file in memory, however long they are', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    const paths = Array.from({ length: 6 }, (_, at) => `long${at}`);
    const long = Buffer.alloc(16 * 1024 * 1024, 'x');
    repository.commit(Object.fromEntries(paths.map((path) => [path, long])));
    for (const path of paths) repository.write(path, 'short\n');
    const session = await stage.session(repository.folder);
    const idle = process.memoryUsage().arrayBuffers;
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - idle);
    }, 1);
    const { discard } = good(await session.call('POST', '/discard', { paths }));
    clearInterval(timer);
    // All of them are 96 MiB.
    expect(most).toBeLessThan(64 * 1024 * 1024);
    good(await session.call('POST', '/undo', { discard }));
    expect(readFileSync(join(repository.folder, 'long5'), 'utf8')).toBe('short\n');
  });
});
