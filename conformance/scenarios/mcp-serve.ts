import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { JsonObject } from '@signalbox/protocol';
import { check, checkFits } from '../check.ts';
import { fieldsOf, listOf } from '../messages.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

/** An MCP client of the program, which serves its tools. */
async function clientOf(stage: Stage): Promise<Client> {
  const { command, args } = stage.program;
  const client = new Client({ name: 'conformance', version: '1' });
  stage.onLeave(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args, 'mcp', 'serve'],
      cwd: stage.folder,
      env: stage.env(),
      stderr: 'ignore',
    }),
  );
  return client;
}

/** What a call gives: its text, and whether it is an error. */
async function calling(client: Client, name: string, input: JsonObject) {
  const { content, isError } = await client.callTool({ name, arguments: input });
  return { text: String(fieldsOf(listOf(content)[0])['text']), isError: isError === true };
}

export const mcpServe: Part = {
  title: 'Serving its tools (mcp serve)',
  scenarios: [
    {
      name: 'an MCP client is offered the tools for commands and files',
      async play(stage) {
        const { tools } = await (await clientOf(stage)).listTools();
        const names = tools.map(({ name }) => name);
        for (const name of ['Bash', 'Read', 'Write', 'Edit'])
          check(names.includes(name), `${name} is missing`);
      },
    },
    {
      name: 'what the client calls is done without a question, and answered with the structured result',
      async play(stage) {
        const client = await clientOf(stage);
        const { text } = await calling(client, 'Bash', { command: 'touch made; echo hi' });
        checkFits(JSON.parse(text), { stdout: 'hi', interrupted: false });
        const file = stage.path('w.txt');
        const written = await calling(client, 'Write', { file_path: file, content: '1' });
        checkFits(JSON.parse(written.text), { type: 'create', filePath: file });
        checkFits([await stage.has('made'), await stage.read(file)], [true, '1']);
      },
    },
    {
      name: 'a command that fails is an error with its exit code, an unknown tool is one of the protocol',
      async play(stage) {
        const client = await clientOf(stage);
        checkFits(await calling(client, 'Bash', { command: 'exit 3' }), { isError: true, text: /3/ });
        const refused = await client.callTool({ name: 'Nope', arguments: {} }).catch(String);
        checkFits(refused, /Tool Nope not found/);
      },
    },
    {
      name: 'commands are told the entry point mcp',
      async play(stage) {
        const command = 'printenv CLAUDE_CODE_ENTRYPOINT';
        const { text } = await calling(await clientOf(stage), 'Bash', { command });
        checkFits(JSON.parse(text), { stdout: 'mcp' });
      },
    },
  ],
};
