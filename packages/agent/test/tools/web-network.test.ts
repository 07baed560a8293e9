import type { LookupAddress } from 'node:dns';
import { parseRule } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { httpGet } from '../../src/base/http-get.ts';
import { isPrivateAddress, isPrivateHost, needsOwnRule } from '../../src/base/private-network.ts';
import { hostAddresses } from '../../src/tools/web/host-addresses.ts';
import { webFetchToolOn } from '../../src/tools/web-fetch.ts';
import { openBench } from './tool-bench.ts';
import { openSite } from './web-site.ts';

const leadsTo = (address: string) => async (): Promise<LookupAddress[]> => [
  { address: '93.184.216.34', family: 4 },
  { address, family: address.includes(':') ? 6 : 4 },
];

describe('the network that WebFetch reaches', () => {
  it('[TL45] has private addresses, in every form they are written', () => {
    const ours =
      '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.9.9.9 169.254.1.1 172.16.0.1 172.31.255.255 192.168.0.1 198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 fc00::1 fd12::1 fe80::1 ff02::1 ::ffff:10.0.0.1 ::ffff:7f00:1 ::127.0.0.1 64:ff9b::10.0.0.1 2002:7f00:1:: 168.63.129.16';
    const everyones =
      '1.1.1.1 93.184.216.34 100.63.255.255 172.15.0.1 172.32.0.1 192.167.0.1 223.255.255.255 2606:4700::1111 ::ffff:1.1.1.1 64:ff9b::1.1.1.1';
    expect(ours.split(' ').filter((address) => !isPrivateAddress(address))).toEqual([]);
    expect(everyones.split(' ').filter(isPrivateAddress)).toEqual([]);
    const hosts = ['localhost', 'LOCALHOST.', 'a.localhost', '127.1.1.1', '[::1]', '10.0.0.1', '[fd00::1]'];
    expect(hosts.filter((host) => !isPrivateHost(host))).toEqual([]);
    expect(['example.com', 'localhost.com', '1.1.1.1', 'notlocalhost'].filter(isPrivateHost)).toEqual([]);
  });

  it('[TL45] is not entered under a name that hides it, nor where credentials are handed out', async () => {
    const bench = await openBench();
    const run = (url: string, address: string) =>
      bench.run(webFetchToolOn({ lookup: leadsTo(address) }), { url, prompt: '' });
    await expect(run('https://wiki.example.com', '10.0.0.5')).rejects.toThrow(
      'wiki.example.com leads to 10.0.0.5, which is in a private network. Name that address in the URL',
    );
    await expect(run('https://evil.example.com', '::ffff:127.0.0.1')).rejects.toThrow('in a private network');
    await expect(run('http://metadata.google.internal', '169.254.169.254')).rejects.toThrow('credentials');
    for (const url of ['http://169.254.169.254/latest', 'http://[fd00:ec2::254]/', 'http://2852039166/'])
      await expect(run(url, '1.1.1.1')).rejects.toThrow('hands out credentials');
    const unknown = webFetchToolOn({ lookup: () => Promise.reject(new Error('ENOTFOUND')) });
    await expect(bench.run(unknown, { url: 'https://a.test', prompt: '' })).rejects.toThrow(
      'a.test was not found: ENOTFOUND',
    );
  });

  it('[TL45] is asked for a name once: what was checked is what is connected to', async () => {
    const site = await openSite(({ headers }, response) => response.end(headers.host));
    const names: string[] = [];
    const addresses = await hostAddresses(new URL('https://rebind.test'), (name) => {
      names.push(name);
      return Promise.resolve([{ address: '93.184.216.34', family: 4 }]);
    });
    expect([names, addresses]).toEqual([['rebind.test'], [{ address: '93.184.216.34', family: 4 }]]);
    const answer = await httpGet(new URL(`http://rebind.test:${site.port}`), {
      addresses: [{ address: '127.0.0.1', family: 4 }],
      headers: {},
      maxBytes: 100,
      signal: AbortSignal.timeout(10_000),
    });
    expect(answer.body.toString()).toBe(`rebind.test:${site.port}`);
  });

  it('[TL45] is not opened by a rule for every page: only by one that names the host', () => {
    const needs = (url: string, ...rules: string[]) =>
      needsOwnRule(
        url,
        rules.map((rule) => parseRule(rule)),
      );
    const blanket = ['WebFetch', 'WebFetch(domain:*)', 'WebFetch(domain:*.localhost)'];
    for (const url of [
      'http://127.0.0.1:80/x',
      'http://a.localhost',
      'https://192.168.0.1',
      'http://[::1]/',
    ]) {
      expect(needs(url, ...blanket), url).toBe(true);
      expect(needs(url, ...blanket, `WebFetch(domain:${new URL(url).hostname})`), url).toBe(false);
    }
    expect(needs('https://example.com', 'WebFetch')).toBe(false);
  });
});
