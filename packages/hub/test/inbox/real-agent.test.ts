import { until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { driveSession } from '../api/driven-session.ts';

/** One red pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

describe('prompts to the real agent', () => {
  it('[AP50] bring their images to the model', async () => {
    const session = await driveSession();
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
    const sent = await session.prompt([image, { type: 'text', text: 'say red' }]);
    expect(sent.status).toBe(201);
    await session.result(1);
    const asked = session.model.requests.find(({ body }) => JSON.stringify(body).includes('say red'));
    expect(JSON.stringify(asked?.body)).toContain(PNG);
  });

  it('[AP51] wait for the turn in their order, can be changed until then, and run once each', async () => {
    const session = await driveSession();
    await session.prompt('run mkdir x');
    const { requestId } = await session.asked();
    const sent = [];
    for (const words of ['say one', 'say two', 'say three']) sent.push(await session.prompt(words));
    const [one, two] = sent.map(({ body }) => body);
    const { items } = (await session.call('GET', '/api/sessions/s/prompts')).body;
    expect(items.map(({ content }: { content: string }) => content)).toEqual([
      'say one',
      'say two',
      'say three',
    ]);
    const path = '/api/sessions/s/prompts';
    expect((await session.call('PATCH', `${path}/${one.id}`, { content: 'say first' })).status).toBe(200);
    expect((await session.call('DELETE', `${path}/${two.id}`)).body.state).toBe('cancelled');
    await session.answer(requestId, { behavior: 'deny' });
    expect([await session.result(2), await session.result(3)]).toEqual(['"first"', '"three"']);
    const model = JSON.stringify(session.model.requests.map(({ body }) => body));
    expect(model).not.toContain('say two');
  });

  it('[AP51] that steer reach the model within the turn that runs', async () => {
    const session = await driveSession();
    await session.prompt('run mkdir x');
    const { requestId } = await session.asked();
    await session.prompt('hurry up please', 'steer');
    await until(async () => (await session.store.inbox.list('s')).length === 0);
    await session.answer(requestId, { behavior: 'allow' });
    await session.result(1);
    await until(() =>
      JSON.stringify(session.model.requests.map(({ body }) => body)).includes('hurry up please'),
    );
    const request = session.model.requests.find(({ body }) =>
      JSON.stringify(body).includes('hurry up please'),
    );
    expect(JSON.stringify(request?.body)).toContain('mkdir x');
  });
});
