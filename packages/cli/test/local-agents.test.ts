import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { localAgents } from '../src/local-agents.ts';

describe('the agents of a machine', () => {
  it('[LN340] are asked for their version once, and again when they were replaced', async () => {
    const folder = temporaryFolder();
    const [claude, calls] = [join(folder, 'claude'), join(folder, 'calls')];
    const install = (version: string): void => {
      writeFileSync(claude, `#!/bin/sh\necho called >> ${calls}\necho '${version} (Claude Code)'\n`);
      chmodSync(claude, 0o755);
    };
    const ask = async () => {
      const [found] = localAgents(['signalbox'], { SIGNALBOX_CLAUDE: claude });
      return found?.version();
    };
    install('2.1.99');
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['2.1.99', '2.1.99', '2.1.99']);
    expect(await ask()).toBe('2.1.99');
    expect(readFileSync(calls, 'utf8')).toBe('called\n');
    install('2.1.100');
    expect(await ask()).toBe('2.1.100');
    expect(readFileSync(calls, 'utf8')).toBe('called\ncalled\n');
  });
});
