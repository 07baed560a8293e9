import { check, checkFits } from '../check.ts';
import { hostMcpServer } from '../mcp-host.ts';
import { broken, configured, ECHO, every, statusOf, withEvery } from '../mcp-stage.ts';
import { serveMcp } from '../mcp-web-server.ts';
import { fieldsOf, listOf } from '../messages.ts';
import { call, UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';

export const mcpControl: Part = {
  title: 'MCP servers: where they come from, and what hosts do with them',
  scenarios: [
    {
      name: 'a server that does not start is told, and keeps nothing from working',
      async play(stage) {
        const agent = await stage.start({ args: [...UNASKED, ...configured({ broken, every })] });
        const { mcp_servers } = await agent.init();
        const byName = new Map(
          listOf(mcp_servers)
            .map(fieldsOf)
            .map(({ name, status }) => [name, status]),
        );
        checkFits([byName.get('broken'), byName.get('every')], ['failed', 'connected']);
        checkFits((await agent.turn(ECHO)).tool, { text: 'Echo: hello' });
      },
    },
    {
      name: 'mcp_status tells about servers: state, version, tools, and why one failed',
      async play(stage) {
        const agent = await stage.start({ args: configured({ broken, every }) });
        await agent.turn('say hi');
        const up = await statusOf(agent, 'every');
        checkFits(up, { status: 'connected', scope: 'dynamic', serverInfo: { name: /everything/ } });
        check(
          listOf(up['tools'])
            .map(fieldsOf)
            .some(({ name }) => name === 'echo'),
          'it names no tools',
        );
        checkFits(await statusOf(agent, 'broken'), { status: 'failed', error: /ENOENT/ });
      },
    },
    {
      name: 'mcp_toggle switches a server off and on',
      misses: { '2.1.37': 'goes on offering its tools' },
      async play(stage) {
        const agent = await withEvery(stage, { args: UNASKED });
        await agent.turn('say hi');
        await agent.control('mcp_toggle', { serverName: 'every', enabled: false });
        const { mcp_servers, tools } = await agent.init();
        checkFits(mcp_servers, [{ name: 'every', status: 'disabled' }]);
        check(!listOf(tools).includes('mcp__every__echo'), 'its tools are still there');
        await agent.control('mcp_toggle', { serverName: 'every', enabled: true });
        checkFits((await agent.turn(ECHO)).tool, { text: 'Echo: hello' });
      },
    },
    {
      name: 'mcp_reconnect starts a server anew',
      async play(stage) {
        const agent = await withEvery(stage, { args: UNASKED });
        await agent.turn('say hi');
        await agent.control('mcp_reconnect', { serverName: 'every' });
        checkFits(await statusOf(agent, 'every'), { status: 'connected' });
        checkFits((await agent.turn(ECHO)).tool, { text: 'Echo: hello' });
      },
    },
    {
      name: 'a server that nobody knows is refused by name',
      async play(stage) {
        const agent = await withEvery(stage);
        await agent.turn('say hi');
        for (const [subtype, fields] of Object.entries({ mcp_reconnect: {}, mcp_toggle: { enabled: true } }))
          checkFits(await agent.refused(subtype, { serverName: 'nobody', ...fields }), {
            error: /Server not found: nobody/,
          });
      },
    },
    {
      name: 'mcp_set_servers adds servers, says what is wrong, and takes them away again',
      async play(stage) {
        const agent = await stage.start({ args: [...UNASKED, '--strict-mcp-config'] });
        await agent.turn('say hi');
        const added = await agent.control('mcp_set_servers', { servers: { every, broken } });
        checkFits(added, { added: ['every', 'broken'], removed: [], errors: { broken: /./ } });
        checkFits((await agent.turn(ECHO)).tool, { text: 'Echo: hello' });
        const removed = await agent.control('mcp_set_servers', { servers: {} });
        checkFits(removed, { added: [], removed: ['every', 'broken'], errors: {} });
        checkFits((await agent.turn(ECHO)).tool, { isError: true });
      },
    },
    {
      name: 'a server behind a URL: streamable HTTP, with headers',
      async play(stage) {
        const web = await serveMcp(stage);
        const server = { type: 'http', url: web.url, headers: { Authorization: 'Bearer open sesame' } };
        const agent = await stage.start({ args: [...UNASKED, ...configured({ web: server })] });
        await agent.turn('say hi');
        checkFits((await agent.turn(call('mcp__web__greet', {}))).tool, { text: 'good day' });
        check(
          web.authorizations.every((header) => header === 'Bearer open sesame'),
          'headers are missing',
        );
      },
    },
    {
      name: 'a server in the host is spoken to by mcp_message',
      async play(stage) {
        const agent = await stage.start({ args: [...UNASKED, '--strict-mcp-config'] });
        const called = hostMcpServer(agent);
        await agent.control('initialize', { sdkMcpServers: ['inner'] });
        const { mcp_servers } = await agent.init();
        checkFits(mcp_servers, [{ name: 'inner', status: 'connected' }]);
        const { tool } = await agent.turn(call('mcp__inner__shout', { words: 'hello' }));
        checkFits(tool, { text: 'HELLO' });
        checkFits(called.slice(0, 2), ['initialize', 'notifications/initialized']);
      },
    },
    {
      name: 'a server in the host, named by --mcp-config',
      async play(stage) {
        const args = [...UNASKED, ...configured({ inner: { type: 'sdk', name: 'inner' } })];
        const agent = await stage.start({ args });
        hostMcpServer(agent);
        await agent.control('initialize');
        await agent.turn('say hi');
        const { tool } = await agent.turn(call('mcp__inner__shout', { words: 'hello' }));
        checkFits(tool, { text: 'HELLO' });
      },
    },
    {
      name: '--mcp-config takes a file',
      async play(stage) {
        const file = await stage.write(
          stage.elsewhere('servers.json'),
          JSON.stringify({ mcpServers: { every } }),
        );
        const agent = await stage.start({ args: [...UNASKED, '--mcp-config', file] });
        await agent.turn('say hi');
        checkFits((await agent.turn(ECHO)).tool, { text: 'Echo: hello' });
      },
    },
    {
      name: '--mcp-config that makes no sense is refused',
      misses: { '2.1.37': 'goes on without it' },
      async play(stage) {
        const { code, stderr } = await stage.run(['-p', '--mcp-config', '{"mcpServers":7}', 'say hi']);
        checkFits([code !== 0, stderr], [true, /mcp/i]);
      },
    },
    {
      name: 'servers of the person are used, but not with --strict-mcp-config',
      async play(stage) {
        await stage.write(`${stage.home}/.claude.json`, JSON.stringify({ mcpServers: { every } }));
        const agent = await stage.start({ args: UNASKED });
        await agent.turn('say hi');
        checkFits((await agent.turn(ECHO)).tool, { text: 'Echo: hello' });
        const strict = await stage.start({ args: [...UNASKED, '--strict-mcp-config'] });
        checkFits((await strict.init())['mcp_servers'], []);
      },
    },
    {
      name: 'servers of a project that the person has approved are used',
      async play(stage) {
        await stage.trust();
        await stage.write(stage.path('.mcp.json'), JSON.stringify({ mcpServers: { every } }));
        const approval = { enableAllProjectMcpServers: true };
        await stage.write(stage.personal('settings.json'), JSON.stringify(approval));
        const agent = await stage.start({ args: UNASKED });
        await agent.turn('say hi');
        checkFits((await agent.turn(ECHO)).tool, { text: 'Echo: hello' });
      },
    },
  ],
};
