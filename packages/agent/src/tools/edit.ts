import * as z from 'zod/mini';
import { patchHunks } from '../base/line-diff.ts';
import { ToolFailure } from '../base/tool-failure.ts';
import { writeAtomically } from '../base/write-atomically.ts';
import { missingFile } from './files/missing-file.ts';
import { asInFile, readTextFile, type TextFile } from './files/text-file.ts';
import { defineTool } from './tool.ts';

export const editTool = defineTool({
  name: 'Edit',
  description: [
    'Replace a text in a file.',
    '- The file must have been read in this session, and not been changed since.',
    '- `old_string` must be in the file exactly as given, white space included and without the line numbers that Read shows, and only once: add surrounding lines until it is unique, or set `replace_all`.',
    '- An empty `old_string` makes a new file, or fills one that is empty.',
  ].join('\n'),
  input: z.object({
    file_path: z.string(),
    old_string: z.string(),
    new_string: z.string(),
    replace_all: z.optional(z.boolean()),
  }),
  isEdit: true,
  fileField: 'file_path',
  defaults: { replace_all: false },
  async run(
    { file_path, old_string, new_string, replace_all = false },
    { session, signal, paths: [path = file_path] },
  ) {
    if (old_string === new_string)
      throw new ToolFailure('Nothing to do: old_string and new_string are the same.');
    const before = await readTextFile(path);
    if (!before && old_string !== '') throw await missingFile(path, session);
    if (before) await session.files.assertFresh(path);
    const text = before?.text ?? '';
    // Files with CRLF are shown, and therefore quoted, with line feeds only.
    const wanted = inStyleOf(old_string, before);
    const after = replace(text, wanted, inStyleOf(new_string, before), replace_all);
    signal.throwIfAborted();
    await session.beforeFileChange(path);
    const style = before ?? { hasBom: false, lineEnd: '\n' as const };
    session.files.saw(path, await writeAtomically(path, asInFile(after, style)));
    return {
      content: `The file ${file_path} has been updated${replace_all ? `: ${count(text, wanted)} replaced` : ''}.`,
      structured: {
        filePath: file_path,
        oldString: old_string,
        newString: new_string,
        originalFile: text,
        structuredPatch: patchHunks(text, after),
        userModified: false,
        replaceAll: replace_all,
      },
    };
  },
});

function replace(text: string, wanted: string, replacement: string, all: boolean): string {
  if (wanted === '') {
    if (text === '') return replacement;
    throw new ToolFailure(
      'old_string is empty, but the file is not. Quote the text to replace, or use Write.',
    );
  }
  const found = count(text, wanted);
  if (found === 0)
    throw new ToolFailure(`old_string is not in the file (0 matches). Read it again: ${wanted}`);
  if (found > 1 && !all) {
    throw new ToolFailure(
      `old_string is in the file ${found} times. Quote more of what surrounds it, or set replace_all: ${wanted}`,
    );
  }
  // Not a pattern of `replace`: `$&` in the replacement means itself.
  if (all) return text.split(wanted).join(replacement);
  const at = text.indexOf(wanted);
  return text.slice(0, at) + replacement + text.slice(at + wanted.length);
}

function inStyleOf(text: string, file: TextFile | undefined): string {
  return file?.lineEnd === '\r\n' ? text.replaceAll('\r\n', '\n') : text;
}

function count(text: string, wanted: string): number {
  return wanted === '' ? 0 : text.split(wanted).length - 1;
}
