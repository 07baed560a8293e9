import { check, checkFits } from '../check.ts';
import { call, UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const UNREAD = 'does not ask for a Read first';
const NO_SEARCH = 'does not offer it: its model searches with Bash';

export const files: Part = {
  title: 'Files',
  scenarios: [
    {
      name: 'Read numbers the lines',
      async play(stage) {
        const file = await stage.write(stage.path('a.txt'), 'one\ntwo\n');
        const { tool } = await (await stage.start()).turn(call('Read', { file_path: file }));
        checkFits(tool, { isError: false, text: /1\s*[→\t]one\n\s*2\s*[→\t]two/ });
        checkFits(tool.structured, {
          type: 'text',
          file: { filePath: file, content: /^one\ntwo/, startLine: 1 },
        });
      },
    },
    {
      name: 'Read gives a range',
      async play(stage) {
        const lines = Array.from({ length: 50 }, (_, i) => `line ${i + 1}`).join('\n');
        const file = await stage.write(stage.path('a.txt'), lines);
        const { tool } = await (await stage.start()).turn(
          call('Read', { file_path: file, offset: 10, limit: 2 }),
        );
        checkFits(tool.text, /10\s*[→\t]line 10\n\s*11\s*[→\t]line 11/);
        check(!/line (?:9|12)\b/.test(tool.text), 'there are lines outside of the range');
      },
    },
    {
      name: 'Read of a missing file is an error',
      async play(stage) {
        const { tool } = await (await stage.start()).turn(call('Read', { file_path: stage.path('none') }));
        checkFits(tool, { isError: true, text: /not exist|not found|no such/i });
      },
    },
    {
      name: 'Read of a folder is an error',
      async play(stage) {
        const { tool } = await (await stage.start()).turn(call('Read', { file_path: stage.folder }));
        checkFits(tool, { isError: true, text: /EISDIR|directory/i });
      },
    },
    {
      name: 'Read shows an image to the model',
      async play(stage) {
        const file = await stage.write(stage.path('dot.png'), PIXEL);
        const { tool } = await (await stage.start()).turn(call('Read', { file_path: file }));
        checkFits(tool.blocks[0], { type: 'image', source: { type: 'base64', media_type: /^image\// } });
        checkFits(tool.structured, { type: 'image' });
      },
    },
    {
      name: 'Write creates a file, folders included',
      async play(stage) {
        const file = stage.path('new/deep/a.txt');
        const agent = await stage.start({ args: UNASKED });
        const { tool } = await agent.turn(call('Write', { file_path: file, content: 'hello\n' }));
        checkFits(tool, {
          isError: false,
          structured: { type: 'create', filePath: file, content: 'hello\n' },
        });
        checkFits(await stage.read(file), 'hello\n');
      },
    },
    {
      name: 'Write over a file that was not read is refused',
      misses: { '2.1.325': UNREAD },
      async play(stage) {
        const file = await stage.write(stage.path('a.txt'), 'precious');
        const agent = await stage.start({ args: UNASKED });
        const { tool } = await agent.turn(call('Write', { file_path: file, content: 'new' }));
        checkFits(tool, { isError: true, text: /read/i });
        checkFits(await stage.read(file), 'precious');
      },
    },
    {
      name: 'Write after Read updates, with a patch for the host',
      async play(stage) {
        const file = await stage.write(stage.path('a.txt'), 'one\ntwo\n');
        const agent = await stage.start({ args: UNASKED });
        await agent.turn(call('Read', { file_path: file }));
        const { tool } = await agent.turn(call('Write', { file_path: file, content: 'one\nthree\n' }));
        const patch = [{ oldStart: 1, newStart: 1, lines: [' one', '-two', '+three'] }];
        checkFits(tool.structured, { type: 'update', originalFile: 'one\ntwo\n', structuredPatch: patch });
        checkFits(await stage.read(file), 'one\nthree\n');
      },
    },
    {
      name: 'Write over a file that changed since it was read is refused',
      misses: { '2.1.37': 'writes over it' },
      async play(stage) {
        const file = await stage.write(stage.path('a.txt'), 'one');
        const agent = await stage.start({ args: UNASKED });
        await agent.turn(call('Read', { file_path: file }));
        await agent.turn('run sleep 0.05; echo changed > a.txt');
        const { tool } = await agent.turn(call('Write', { file_path: file, content: 'mine' }));
        checkFits(tool, { isError: true, text: /modified since|changed since/i });
        checkFits(await stage.read(file), 'changed\n');
      },
    },
    {
      name: 'Edit replaces the one place that fits',
      async play(stage) {
        const file = await stage.write(stage.path('a.txt'), 'one\ntwo\n');
        const agent = await stage.start({ args: UNASKED });
        await agent.turn(call('Read', { file_path: file }));
        const { tool } = await agent.turn(
          call('Edit', { file_path: file, old_string: 'two', new_string: 'three' }),
        );
        checkFits(tool.structured, {
          filePath: file,
          oldString: 'two',
          newString: 'three',
          replaceAll: false,
        });
        checkFits(await stage.read(file), 'one\nthree\n');
      },
    },
    {
      name: 'Edit refuses what fits twice, and takes it with replace_all',
      async play(stage) {
        const file = await stage.write(stage.path('a.txt'), 'x y x\n');
        const agent = await stage.start({ args: UNASKED });
        await agent.turn(call('Read', { file_path: file }));
        const edit = { file_path: file, old_string: 'x', new_string: 'z' };
        checkFits((await agent.turn(call('Edit', edit))).tool, {
          isError: true,
          text: /2 (?:matches|times|places)/i,
        });
        checkFits(await stage.read(file), 'x y x\n');
        await agent.turn(call('Edit', { ...edit, replace_all: true }));
        checkFits(await stage.read(file), 'z y z\n');
      },
    },
    {
      name: 'Edit refuses text that is not there',
      async play(stage) {
        const file = await stage.write(stage.path('a.txt'), 'one\n');
        const agent = await stage.start({ args: UNASKED });
        await agent.turn(call('Read', { file_path: file }));
        const { tool } = await agent.turn(
          call('Edit', { file_path: file, old_string: 'two', new_string: 'x' }),
        );
        checkFits(tool, { isError: true, text: /not found|not in/i });
      },
    },
    {
      name: 'Edit of a file that was not read is refused',
      misses: { '2.1.325': UNREAD },
      async play(stage) {
        const file = await stage.write(stage.path('a.txt'), 'one\n');
        const agent = await stage.start({ args: UNASKED });
        const { tool } = await agent.turn(
          call('Edit', { file_path: file, old_string: 'one', new_string: 'x' }),
        );
        checkFits(tool, { isError: true, text: /read/i });
        checkFits(await stage.read(file), 'one\n');
      },
    },
    {
      name: 'Glob finds files by pattern',
      misses: { '2.1.325': NO_SEARCH },
      async play(stage) {
        await stage.write(stage.path('a.ts'), '');
        await stage.write(stage.path('b.md'), '');
        const { tool } = await (await stage.start()).turn(call('Glob', { pattern: '*.ts' }));
        checkFits([tool.isError, tool.text], [false, /a\.ts/]);
        check(!tool.text.includes('b.md'), 'it finds too much');
      },
    },
    {
      name: 'Grep finds files, lines and counts',
      misses: { '2.1.325': NO_SEARCH },
      async play(stage) {
        await stage.write(stage.path('a.txt'), 'needle\nhay\nneedle\n');
        await stage.write(stage.path('b.txt'), 'hay\n');
        const agent = await stage.start();
        const grep = async (more: Record<string, unknown>) =>
          (await agent.turn(call('Grep', { pattern: 'need.e', ...more }))).tool.text;
        const found = await grep({});
        check(found.includes('a.txt') && !found.includes('b.txt'), `files: ${found}`);
        checkFits(await grep({ output_mode: 'content', '-n': true }), /3:needle/);
        checkFits(await grep({ output_mode: 'count' }), /a\.txt:2/);
      },
    },
  ],
};
