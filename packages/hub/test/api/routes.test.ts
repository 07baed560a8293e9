import { once } from 'node:events';
import { request as send } from 'node:http';
import { SCOPES } from '@signalbox/protocol/hub';
import { partsOf, ROUTES, type Route } from '@signalbox/protocol/hub/routes';
import { call, startTestHub, temporaryFolder, tokenFor } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

const TABLE: Readonly<Record<string, Route>> = ROUTES;

const PATHS = Object.keys(TABLE).map((key) => {
  const { method, path } = partsOf(key);
  return { key, method, path: path.replaceAll(/\{\w+\}/g, 's'), scope: TABLE[key]?.scope ?? 'admin' };
});

const trust = {
  list: async () => [],
  look: async () => ({ folder: '/', root: '/', isTrusted: false, withheld: [] }),
  trust: async () => ({ folder: '/', root: '/', isTrusted: true, withheld: [] }),
  distrust: async () => ({ folder: '/', root: '/', isTrusted: false, withheld: [] }),
};

const definitions = {
  list: () => [],
  change: () => {
    throw new TypeError('No request of these tests gets so far');
  },
  remove: () => undefined,
};

/** A hub that has every route: it runs programs, takes definitions of agents, and can be asked to trust a folder. */
function withEverything() {
  const launch = { home: temporaryFolder(), program: [process.execPath], agents: () => [], definitions };
  return { trust, launch };
}

describe('the table of routes', () => {
  it('[HB1050] has every route answer, and each refuses a token without its scope, whatever else comes with it', async () => {
    const { hub, store, token } = await startTestHub(withEverything());
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const tokens = new Map(
      await Promise.all(SCOPES.map(async (scope) => [scope, await tokenFor(store, { scope })] as const)),
    );
    for (const { key, method, path, scope } of PATHS) {
      const below = SCOPES.slice(0, SCOPES.indexOf(scope));
      for (const less of below) {
        const answer = await call(
          hub.url,
          tokens.get(less) ?? '',
          method,
          path,
          method === 'GET' ? undefined : 'x',
        );
        expect([key, less, answer.status, answer.body.code]).toEqual([key, less, 403, 'FORBIDDEN']);
      }
      const stranger = await call(hub.url, 'nobody', method, path, method === 'GET' ? undefined : 'x');
      expect([key, stranger.status]).toEqual([key, 401]);
    }
    const { paths } = (await call(hub.url, token, 'GET', '/api/openapi.json')).body;
    for (const key of Object.keys(TABLE)) {
      const { method, path } = partsOf(key);
      expect(paths[path][method.toLowerCase()].summary).toBe(TABLE[key]?.summary);
    }
  });

  it('[HB1051] asks for the scope of a route before it reads a body', async () => {
    const { hub, store } = await startTestHub(withEverything());
    const watcher = await tokenFor(store, { scope: 'watch' });
    const posts = PATHS.filter(
      ({ method, scope }) => method !== 'GET' && method !== 'DELETE' && scope !== 'watch',
    );
    expect(posts.length).toBeGreaterThan(5);
    for (const { key, method, path } of posts) {
      // The body never comes: whoever waited for it would not answer.
      const request = send(`${hub.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${watcher}`,
          'content-type': 'application/json',
          'content-length': '100',
        },
      });
      request.on('error', () => {});
      request.flushHeaders();
      const [response] = await once(request, 'response');
      expect([key, response.statusCode]).toEqual([key, 403]);
      request.destroy();
    }
  });

  it('[HB1052] describes what each route may be refused with, by its status', async () => {
    const { hub, token } = await startTestHub();
    const { paths } = (await call(hub.url, token, 'GET', '/api/openapi.json')).body;
    const { post } = paths['/api/sessions/{session}/prompts'];
    expect(post.responses['409'].description).toContain('PROMPT_ID_TAKEN');
    expect(post.responses['404'].description).toContain('STORE_SESSION_NOT_FOUND');
    expect(post.responses['403'].description).toContain('FORBIDDEN');
    expect(paths['/api/trusted-folders']).toBeUndefined();
  });
});
