import { describe, expect, it } from 'vitest';
import { openServers, textOf } from './mcp-bench.ts';
import { serveGreeting } from './web-server.ts';

const TOKEN = 'tok-2718281828';

describe('an MCP server that wants to know who asks', () => {
  it.for(['/mcp', '/sse'] as const)('[MC11] needs a sign-in, and says how: %s', async (path) => {
    const web = await serveGreeting(TOKEN);
    const type = path === '/sse' ? ('sse' as const) : ('http' as const);
    const { statusOf, run } = await openServers({
      stranger: { type, url: web.url(path), headers: { Authorization: 'Bearer guess' } },
      friend: { type, url: web.url(path), headers: { Authorization: 'Bearer ${WEB_TOKEN:-tok-2718281828}' } },
    });
    expect(statusOf('stranger')).toMatchObject({
      status: 'needs-auth',
      error: expect.stringMatching(/401.*"headers".*"headersHelper"/),
    });
    expect(textOf(await run('mcp__friend__greet'))).toBe('good day');
  });

  it('[MC11] gets the headers that a helper prints, anew for each connection', async () => {
    const web = await serveGreeting(TOKEN);
    const url = web.url('/mcp');
    const helper = (command: string) => ({
      type: 'http' as const,
      url,
      headers: { 'x-fixed': 'yes' },
      headersHelper: command,
    });
    const { statusOf, run, servers, problems } = await openServers({
      good: helper(`printf '{"Authorization":"Bearer ${TOKEN}"}'`),
      wrong: helper(`echo '["${TOKEN}"]'`),
      garbled: helper(`echo '{${TOKEN}'`),
      failing: helper('exit 3'),
      chatty: helper('yes'),
    });
    expect(textOf(await run('mcp__good__greet'))).toBe('good day');
    expect(web.headers()).toMatchObject({ 'x-fixed': 'yes' });
    expect(statusOf('wrong')?.error).toContain('headersHelper failed: it must print a JSON object of texts');
    expect(statusOf('garbled')?.error).toContain(
      'headersHelper failed: it must print a JSON object of texts',
    );
    expect(statusOf('failing')?.error).toContain('headersHelper failed: it ended with code 3');
    expect(statusOf('chatty')?.error).toContain('headersHelper failed: it printed more than');
    expect(JSON.stringify([servers.statuses(), problems])).not.toContain(TOKEN);
  });
});
