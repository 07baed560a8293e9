import { check, checkFits } from '../check.ts';
import { fieldsOf, kindOf, listOf } from '../messages.ts';
import type { Part } from '../scenario.ts';
import type { Finished } from '../stage.ts';

function checkRefused({ code, stderr, stdout }: Finished, word: RegExp): void {
  check(code !== 0, 'it exits 0');
  checkFits(stderr + stdout, word, 'what it says');
}

function linesOf(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => fieldsOf(JSON.parse(line)));
}

export const commandLine: Part = {
  title: 'Command line',
  scenarios: [
    {
      name: 'prints the answer as text',
      async play(stage) {
        checkFits(await stage.run(['-p', 'say hello']), { code: 0, stdout: 'hello', stderr: '' });
      },
    },
    {
      name: 'takes the prompt from stdin',
      async play(stage) {
        checkFits(await stage.run(['-p'], 'say piped'), { code: 0, stdout: 'piped' });
      },
    },
    {
      name: 'joins stdin and the prompt of the command line',
      async play(stage) {
        await stage.run(['-p', 'what is this?'], 'some text');
        const said = JSON.stringify(stage.lastRequest()['messages']);
        check(said.includes('what is this?') && said.includes('some text'), `the model saw ${said}`);
      },
    },
    {
      name: '--output-format json prints the result',
      async play(stage) {
        const { code, stdout } = await stage.run(['-p', '--output-format', 'json', 'say hello']);
        const result = { type: 'result', subtype: 'success', result: 'hello', is_error: false, num_turns: 1 };
        checkFits([code, JSON.parse(stdout)], [0, result]);
      },
    },
    {
      name: '--output-format json --verbose prints every message',
      async play(stage) {
        const { stdout } = await stage.run(['-p', '--output-format=json', '--verbose', 'say hello']);
        const kinds = listOf(JSON.parse(stdout)).map((message) => kindOf(fieldsOf(message)));
        checkFits([kinds[0], kinds.at(-1)], ['system/init', 'result/success']);
        check(kinds.includes('assistant'), `its messages are ${kinds.join(', ')}`);
      },
    },
    {
      name: '--output-format stream-json prints a message a line',
      async play(stage) {
        const { stdout } = await stage.run([
          '-p',
          '--output-format',
          'stream-json',
          '--verbose',
          'say hello',
        ]);
        const messages = linesOf(stdout);
        checkFits(messages.at(0), { type: 'system', subtype: 'init', cwd: stage.folder });
        checkFits(messages.at(-1), { type: 'result', result: 'hello' });
      },
    },
    {
      name: '-v prints a version that SDKs accept',
      async play(stage) {
        checkFits(await stage.run(['-v']), { code: 0, stdout: /^2\.\d+\.\d+ \(.+\)$/ });
      },
    },
    {
      name: '--help lists the flags',
      async play(stage) {
        const { code, stdout } = await stage.run(['--help']);
        check(code === 0, `it exits ${code}`);
        for (const flag of ['--print', '--output-format', '--resume', '--permission-mode', '--add-dir'])
          check(stdout.includes(flag), `${flag} is not in the help`);
      },
    },
    {
      name: 'an unknown flag is refused',
      async play(stage) {
        checkRefused(await stage.run(['-p', '--nonsense', 'x']), /--nonsense/);
      },
    },
    {
      name: 'a value that a flag does not know is refused',
      async play(stage) {
        checkRefused(await stage.run(['-p', '--output-format', 'yaml', 'x']), /output-format/);
        checkRefused(await stage.run(['-p', '--permission-mode', 'nonsense', 'x']), /permission-mode/);
      },
    },
    {
      name: 'stream-json input without stream-json output is refused',
      async play(stage) {
        checkRefused(
          await stage.run(['-p', '--input-format', 'stream-json', 'x']),
          /output-format=stream-json/,
        );
      },
    },
    {
      name: '--session-id that is no UUID is refused',
      async play(stage) {
        checkRefused(await stage.run(['-p', '--session-id', 'abc', 'x']), /session/i);
      },
    },
    {
      name: 'no prompt at all is refused',
      async play(stage) {
        checkRefused(await stage.run(['-p']), /prompt/i);
      },
    },
    {
      name: '--system-prompt replaces, --append-system-prompt adds',
      async play(stage) {
        await stage.run([
          '-p',
          '--system-prompt',
          'You are a parrot.',
          '--append-system-prompt',
          'Be brief.',
          'hi',
        ]);
        const system = JSON.stringify(stage.lastRequest()['system']);
        check(
          system.includes('You are a parrot.') && system.includes('Be brief.'),
          `the system prompt is ${system}`,
        );
      },
    },
    {
      name: '--model names the model that is asked',
      async play(stage) {
        const model = 'claude-haiku-4-5-20251001';
        const { stdout } = await stage.run(['-p', '--model', model, '--output-format', 'json', 'say hi']);
        checkFits(stage.lastRequest(), { model });
        check(
          Object.keys(fieldsOf(JSON.parse(stdout)['modelUsage'])).includes(model),
          'it is not in modelUsage',
        );
      },
    },
    {
      name: '--tools limits what the model is offered',
      async play(stage) {
        await stage.run(['-p', '--tools', 'Bash,Read', '--', 'say hi']);
        const names = listOf(stage.lastRequest()['tools']).map((tool) => fieldsOf(tool)['name']);
        check(names.includes('Bash') && names.includes('Read') && !names.includes('Write'), names.join());
      },
    },
    {
      name: 'an input line that is not JSON ends it with code 1 and one line on stderr',
      async play(stage) {
        const agent = await stage.start();
        await agent.raw('this is not JSON');
        const { code, stderr } = await agent.gone();
        checkFits([code, stderr.trim()], [1, /^[^\n]*(?:JSON|pars)[^\n]*$/i]);
      },
    },
    {
      name: 'a broken line that begins like a control request ends it with code 1',
      async play(stage) {
        const agent = await stage.start();
        await agent.raw('{"type":"control_request","request_id":"r1","request":{"subtype":');
        checkFits(await agent.gone(), { code: 1, stderr: /JSON|pars/i });
      },
    },
    {
      name: '--debug-file writes what it does to a file',
      async play(stage) {
        const file = stage.elsewhere('debug.txt');
        await stage.run(['-p', '--debug-file', file, 'say hi']);
        check(((await stage.read(file)) ?? '').length > 0, 'it wrote nothing');
      },
    },
    {
      name: 'a message with a wrong role ends it with code 1',
      async play(stage) {
        const agent = await stage.start();
        await agent.raw('{"type":"user","message":{"role":"assistant","content":"x"}}');
        checkFits(await agent.gone(), { code: 1, stderr: /role/ });
      },
    },
  ],
};
