import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runUp, UP } from '@signalbox/testing/hub/run-up';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

describe('signalbox up in a home that it cannot write to', () => {
  it.each(['token', 'hub.json'])('[CL782] ends with an error when %s is a folder', async (name) => {
    const home = temporaryFolder();
    mkdirSync(join(home, name, 'taken'), { recursive: true });
    const { exited, errors } = runUp(UP, home);
    expect(await exited).toEqual([1, null]);
    expect(errors()).toContain(join(home, name));
  });
});

describe('signalbox up in a home where somebody left other things', () => {
  it.each(['token', 'hub.json', 'hub.json.new', 'hub.db-mark'])(
    '[CL783] puts its own file in the place of a pipe or a link that is called %s',
    async (name) => {
      const [piped, linked] = [temporaryFolder(), temporaryFolder()];
      execFileSync('mkfifo', [join(piped, name)]);
      const precious = join(temporaryFolder(), 'precious');
      writeFileSync(precious, 'kept');
      symlinkSync(precious, join(linked, name));
      for (const home of [piped, linked]) {
        const up = runUp(UP, home);
        await expect.poll(up.output).toContain('signalbox is up');
        up.child.kill('SIGTERM');
        await up.exited;
        const left = lstatSync(join(home, name), { throwIfNoEntry: false });
        expect(left?.isFile() ?? true).toBe(true);
      }
      expect(readFileSync(precious, 'utf8')).toBe('kept');
    },
  );
});
