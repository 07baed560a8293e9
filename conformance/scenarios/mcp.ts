import { isRunning } from '@signalbox/testing/is-running';
import { check, checkFits } from '../check.ts';
import { allow, deny } from '../conversation.ts';
import { configured, ECHO, EVERYTHING, withEvery } from '../mcp-stage.ts';
import { serveMcp } from '../mcp-web-server.ts';
import { fieldsOf, listOf } from '../messages.ts';
import { eventually } from '../processes.ts';
import { call, UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

export const mcp: Part = {
  title: 'MCP servers: what they offer',
  scenarios: [
    {
      name: 'a server that runs as a child: init names it and its tools',
      async play(stage) {
        const init = await (await withEvery(stage)).init();
        checkFits(init['mcp_servers'], [{ name: 'every', status: 'connected' }]);
        check(listOf(init['tools']).includes('mcp__every__echo'), 'its tools are not listed');
      },
    },
    {
      name: 'its tools can be called, and answer with text',
      async play(stage) {
        const agent = await withEvery(stage, { args: UNASKED });
        checkFits((await agent.turn(ECHO)).tool, { isError: false, text: 'Echo: hello' });
      },
    },
    {
      name: 'an image in an answer reaches the model as an image',
      async play(stage) {
        const agent = await withEvery(stage, { args: UNASKED });
        const { tool } = await agent.turn(call('mcp__every__get-tiny-image', {}));
        const image = tool.blocks.find(({ type }) => type === 'image');
        checkFits(image, { source: { type: 'base64', media_type: 'image/png' } });
      },
    },
    {
      name: 'arguments that do not fit are an error for the model, not the end',
      async play(stage) {
        const agent = await withEvery(stage, { args: UNASKED });
        const { tool, result } = await agent.turn(call('mcp__every__get-sum', { a: 'x' }));
        checkFits([tool, result], [{ isError: true, text: /number/ }, { subtype: 'success' }]);
      },
    },
    {
      name: 'a tool of a server is asked for, with a rule that would allow it',
      async play(stage) {
        const agent = await withEvery(stage, { onPermission: allow });
        await agent.turn(ECHO);
        const rules = [{ toolName: 'mcp__every__echo' }];
        checkFits(agent.asked, [
          {
            tool_name: 'mcp__every__echo',
            input: { message: 'hello' },
            permission_suggestions: [{ type: 'addRules', rules, behavior: 'allow' }],
          },
        ]);
      },
    },
    {
      name: 'a question about a tool of a server names the server',
      misses: { '2.1.37': 'names only the tool' },
      async play(stage) {
        const agent = await withEvery(stage, { onPermission: deny() });
        await agent.turn(call('mcp__every__get-sum', { a: 1, b: 2 }));
        checkFits(agent.asked, [
          { display_name: 'Get-Sum', mcp_server: { name: 'every', source: 'dynamic' } },
        ]);
      },
    },
    ...['mcp__every', 'mcp__every__echo'].map((rule) => ({
      name: `the rule ${rule} allows it`,
      async play(stage: Stage) {
        const agent = await withEvery(stage, { args: ['--allowedTools', rule], onPermission: deny() });
        checkFits((await agent.turn(ECHO)).tool, { text: 'Echo: hello' });
        check(agent.asked.length === 0, 'it asks');
      },
    })),
    {
      name: 'the rule of one tool does not allow another',
      async play(stage) {
        const args = ['--allowedTools', 'mcp__every__get-sum'];
        const agent = await withEvery(stage, { args, onPermission: deny() });
        checkFits((await agent.turn(ECHO)).tool, { isError: true });
        check(agent.asked.length === 1, 'it does not ask');
      },
    },
    {
      name: 'a denied server offers none of its tools',
      misses: { '2.1.37': 'lists them all the same' },
      async play(stage) {
        const agent = await withEvery(stage, { args: [...UNASKED, '--disallowedTools', 'mcp__every'] });
        const { tools } = await agent.init();
        check(!listOf(tools).some((tool) => String(tool).startsWith('mcp__every__')), 'it offers some');
        checkFits((await agent.turn(ECHO)).tool, { isError: true });
      },
    },
    {
      name: 'resources are listed and read',
      async play(stage) {
        const agent = await withEvery(stage, { args: UNASKED });
        const { tool: list } = await agent.turn(call('ListMcpResourcesTool', { server: 'every' }));
        const [first] = listOf(JSON.parse(list.text)).map(fieldsOf);
        checkFits(first, { uri: /^demo:/, server: 'every' });
        const reading = { server: 'every', uri: first?.['uri'] };
        const { tool } = await agent.turn(call('ReadMcpResourceTool', reading));
        checkFits(JSON.parse(tool.text), { contents: [{ uri: first?.['uri'], text: /Everything/ }] });
      },
    },
    {
      name: 'a prompt of a server is a command, with arguments',
      async play(stage) {
        const agent = await withEvery(stage);
        const { slash_commands } = await agent.init();
        check(listOf(slash_commands).includes('mcp__every__args-prompt'), 'it is not listed');
        const { result } = await agent.turn('/mcp__every__args-prompt Berlin');
        checkFits(result, { result: /weather in Berlin/ });
      },
    },
    {
      name: '--permission-prompt-tool: a tool of a server answers for the host',
      async play(stage) {
        const { url } = await serveMcp(stage);
        const args = ['--permission-prompt-tool', 'mcp__gate__approve'];
        const agent = await stage.start({ args: [...args, ...configured({ gate: { type: 'http', url } })] });
        await agent.turn('run touch good');
        const { tool, result } = await agent.turn('run touch bad');
        checkFits(tool, { isError: true, text: /the gate is closed/ });
        checkFits(result['permission_denials'], [{ tool_name: 'Bash' }]);
        const made = [await stage.read(stage.path('good')), await stage.read(stage.path('bad'))];
        checkFits(made, ['', undefined]);
      },
    },
    {
      name: 'what a server runs ends with the agent',
      async play(stage) {
        const pidFile = stage.elsewhere('pid');
        const script = `echo $$ > ${pidFile}; exec ${process.execPath} ${EVERYTHING} stdio`;
        const server = { type: 'stdio', command: 'sh', args: ['-c', script] };
        const agent = await stage.start({ args: configured({ server }) });
        await agent.turn('say hi');
        const pid = Number(await stage.read(pidFile));
        check(isRunning(pid), 'it does not run');
        await agent.finish();
        await eventually(async () => (isRunning(pid) ? undefined : true));
      },
    },
  ],
};
