import { call, startTestHub } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { terminalGrant } from '../../src/auth/identity.ts';

describe('the token of a terminal', () => {
  it('[TM2087] is good for its own door alone: it reads nothing of its session', async () => {
    const { hub, store } = await startTestHub();
    await store.sessions.create('s', {});
    const { token } = await store.devices.add(terminalGrant('s', 1));
    const paths = ['', '/prompts', '/transcript'];
    const answers = await Promise.all(
      paths.map((path) => call(hub.url, token, 'GET', `/api/sessions/s${path}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 403));
  });
});
