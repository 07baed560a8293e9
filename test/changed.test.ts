import { describe, expect, it } from 'vitest';
import { affectedFiles } from '../scripts/changed.js';

describe('npm test -- --changed', () => {
  it('[RE201] runs nothing when nothing changed', async () => {
    expect(await affectedFiles([])).toEqual([]);
  });

  it('[RE201] runs the tests that start what is built from a changed source, and no others of that kind', async () => {
    const ofAgent = await affectedFiles(['packages/agent/src/tools/bash.ts']);
    expect(ofAgent).toContain('packages/agent/src/tools/bash.ts');
    expect(ofAgent).toContain('packages/agent/test/drive-agent.ts');
    expect(ofAgent).toContain('packages/testing/src/hub/hub-process.ts');
    const ofHub = await affectedFiles(['packages/hub/src/doors/http/hub-server.ts']);
    expect(ofHub).toContain('packages/testing/src/hub/hub-process.ts');
    expect(ofHub).not.toContain('packages/agent/test/drive-agent.ts');
  });

  it('[RE201] runs the tests that read or start a changed file, and those of the whole tree', async () => {
    expect(await affectedFiles(['packages/agent/test/session/appending-child.ts'])).toContain(
      'packages/agent/test/session/transcript.test.ts',
    );
    const ofDocument = await affectedFiles(['docs/SDK.md']);
    expect(ofDocument).toContain('test/documents.test.ts');
    expect(ofDocument).not.toContain('packages/agent/test/drive-agent.ts');
  });
});
