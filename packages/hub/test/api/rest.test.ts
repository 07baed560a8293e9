import { call, dialAgent, startModel, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { TestViewer } from '../live/test-viewer.ts';

describe('an agent that dials in', () => {
  it('[HB1] is prompted by REST, and everyone who watches sees what it says', async () => {
    const { hub, token } = await startTestHub();
    const model = await startModel();
    const created = await call(hub.url, token, 'POST', '/api/sessions', { id: 's1', title: 'first' });
    expect(created.status).toBe(201);
    const viewers = await Promise.all([1, 2].map(() => TestViewer.connect(hub.url, token)));
    for (const viewer of viewers) await viewer.ask({ type: 'subscribe', session: 's1' });
    const prompt = { clientId: 'p1', content: 'say hello there' };
    expect((await call(hub.url, token, 'POST', '/api/sessions/s1/prompts', prompt)).status).toBe(201);
    dialAgent(`${hub.url.replace('http', 'ws')}/ws/s1`, created.body.token, model.url);
    for (const viewer of viewers) {
      const { message } = await viewer.find(({ message: said }) => said?.type === 'result');
      expect(message.result).toBe('hello there');
      expect(viewer.told.some(({ type }) => type === 'preview')).toBe(true);
    }
    const [left, right] = viewers.map(({ entries }) => entries);
    expect(left).toEqual(right);
    await until(async () => (await call(hub.url, token, 'GET', '/api/sessions/s1')).body.state === 'idle');
    expect((await call(hub.url, token, 'GET', '/api/sessions/s1/prompts')).body.items).toEqual([]);
  });
});
