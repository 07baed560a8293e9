import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { until } from '@signalbox/testing/until';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasProgram } from '../../../../scripts/system-tools.js';
import { destinationOf, resolveByDns } from '../../src/sandbox/destinations.ts';
import type { Network } from '../../src/sandbox/egress-proxy.ts';
import { openSandbox, type SandboxBench } from './sandbox-bench.ts';

/** A world with these names, in which every address of 203.0.113.0/24 is a server of the test. */
async function openWorld(names: Record<string, string[]>): Promise<Network & { asked: string[] }> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`);
    request.pipe(response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await until(() => server.listening);
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    asked,
    resolve: async (name) => names[name] ?? [],
    connect: (to) => connect(to.host.startsWith('203.0.113.') ? { host: '127.0.0.1', port } : to),
  };
}

/** Asks for a host through the proxy that the variables name: by a plain request, or through a tunnel. */
const ASK = `
const { request } = require('node:http');
const [how, host, ...headers] = process.argv.slice(2);
const { hostname, port } = new URL(process.env.http_proxy);
const say = (answer) => answer.setEncoding('utf8').on('data', (text) => console.log(answer.statusCode, text));
const extra = Object.fromEntries(headers.map((header) => header.split('=')));
const to = { hostname, port, method: 'POST', headers: { host, ...extra } };
if (how === 'plain') request({ ...to, path: 'http://' + host + '/a' }).on('response', say).end('hello');
else
  request({ ...to, method: 'CONNECT', path: host + ':80' })
    .on('connect', (answer, socket) =>
      answer.statusCode === 200
        ? request({ ...to, path: '/b', createConnection: () => socket }).on('response', say).end('hello')
        : console.log(answer.statusCode),
    )
    .end();
`;

async function reach({ sh, file }: SandboxBench, host: string): Promise<[string, string]> {
  await file('ask.cjs', ASK);
  return [await sh(`node ask.cjs plain ${host}`), await sh(`node ask.cjs tunnel ${host}`)];
}

describe.runIf(hasProgram('bwrap'))('the way out of a sandbox', () => {
  it('[SB10] leads to allowed names, and is what programs in it use', async () => {
    const world = await openWorld({ 'allowed.test': ['203.0.113.1'], 'sub.wild.test': ['203.0.113.2'] });
    const bench = await openSandbox({ allowedDomains: ['allowed.test', '*.wild.test'] }, world);
    expect(await reach(bench, 'allowed.test')).toEqual(['200 hello', '200 hello']);
    expect(await reach(bench, 'sub.wild.test')).toEqual(['200 hello', '200 hello']);
    expect(world.asked).toEqual([
      'POST allowed.test/a',
      'POST allowed.test/b',
      'POST sub.wild.test/a',
      'POST sub.wild.test/b',
    ]);
    expect(await bench.sh('exit 4')).toContain('Exit code 4');
    expect(await bench.sh('kill -9 $$')).toContain('Exit code 137');
  });

  it('[SB10] leads nowhere else: other names, denied names, addresses', async () => {
    const everywhere = ['203.0.113.1'];
    const world = await openWorld({
      'other.test': everywhere,
      'wild.test': everywhere,
      'no.wild.test': everywhere,
      'allowed.test.evil.test': everywhere,
    });
    const bench = await openSandbox(
      { allowedDomains: ['allowed.test', '*.wild.test'], deniedDomains: ['no.wild.test'] },
      world,
    );
    for (const host of ['other.test', 'wild.test', 'no.wild.test', 'allowed.test.evil.test', '203.0.113.1']) {
      const [plain, tunnel] = await reach(bench, host);
      expect(plain, host).toContain(`403 The sandbox does not let commands reach ${host}`);
      expect(tunnel, host).toBe('403');
    }
    expect(await bench.sh('exec 3<>/dev/tcp/203.0.113.1/80')).toContain('Network is unreachable');
    expect(world.asked).toEqual([]);
  });

  it('[SB10] asks with the name that was checked, whatever else the request says', async () => {
    const world = await openWorld({ 'allowed.test': ['203.0.113.1'] });
    const { sh, file } = await openSandbox({ allowedDomains: ['allowed.test'] }, world);
    await file('ask.cjs', ASK);
    expect(await sh('node ask.cjs plain allowed.test host=other.test')).toBe('200 hello');
    expect(world.asked).toEqual(['POST allowed.test/a']);
  });
});

describe('where a name leads', () => {
  const names: Record<string, string[]> = {
    'loop.test': ['127.0.0.1'],
    'loop6.test': ['::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
    'zero.test': ['0.0.0.0', '::'],
    'metadata.test': ['169.254.169.254', '100.100.100.200', 'fe80::1'],
    'many.test': ['224.0.0.1', 'ff02::1', '255.255.255.255'],
    'translated.test': ['64:ff9b::7f00:1'],
    'own.test': Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).map(({ address }) => address),
    ),
    'private.test': ['10.1.2.3'],
    'both.test': ['127.0.0.1', '203.0.113.9'],
  };
  const to = (host: string, allowedDomains: string[]): Promise<string> =>
    destinationOf(host, { allowedDomains, deniedDomains: [] }, async (name) => names[name] ?? []);

  it.each(Object.keys(names).filter((name) => name !== 'private.test' && name !== 'both.test'))(
    '[SB11] %s means this machine or its wire, and is refused although the name is allowed',
    async (name) => {
      await expect(to(name, [name])).rejects.toThrow('its address is one of this machine');
    },
  );

  it('[SB11] a private network is reached by a name that was allowed itself, not below a wildcard', async () => {
    expect(await to('private.test', ['private.test'])).toBe('10.1.2.3');
    await expect(to('private.test', ['*.test', '*'])).rejects.toThrow('private network');
  });

  it('[SB11] the address that was checked is the one to use', async () => {
    expect(await to('both.test', ['*'])).toBe('203.0.113.9');
    expect(await to('BOTH.test.', ['both.TEST'])).toBe('203.0.113.9');
  });

  it.each(['127.0.0.1', '[::1]', '::1', '8.8.8.8'])('[SB11] %s is an address and no name', async (host) => {
    await expect(to(host, ['*', host])).rejects.toThrow('addresses cannot be allowed');
  });

  it.each(['localhost', '127.1', '2130706433'])('[SB11] %s is this machine by another name', async (host) => {
    const rules = { allowedDomains: ['*', host], deniedDomains: [] };
    await expect(destinationOf(host, rules, resolveByDns)).rejects.toThrow('this machine');
  });
});
