import * as z from 'zod/mini';
import { isFolder } from '../base/is-folder.ts';
import { patchHunks } from '../base/line-diff.ts';
import { ToolFailure } from '../base/tool-failure.ts';
import { writeAtomically } from '../base/write-atomically.ts';
import { asInFile, readTextFile } from './files/text-file.ts';
import { defineTool } from './tool.ts';

export const writeTool = defineTool({
  name: 'Write',
  description: [
    'Write a file as a whole; folders that are missing are made.',
    '- A file that exists must have been read in this session, and not been changed since. It keeps its mode.',
    '- Prefer Edit for changes. Make new files only where the task needs them.',
  ].join('\n'),
  input: z.object({ file_path: z.string(), content: z.string() }),
  isEdit: true,
  fileField: 'file_path',
  async run({ file_path, content }, { session, signal, paths: [path = file_path] }) {
    if (await isFolder(path)) throw new ToolFailure(`${path} is a directory, not a file.`);
    // What is no text, or too much of it, can be replaced; it is only not shown.
    const before = await readTextFile(path).catch(() => null);
    await session.files.assertFresh(path);
    signal.throwIfAborted();
    await session.beforeFileChange(path);
    // Line ends are the author's choice here; a byte order mark that the file had is not visible to the model.
    const hasBom = before?.hasBom ?? false;
    session.files.saw(path, await writeAtomically(path, asInFile(content, { hasBom, lineEnd: '\n' })));
    const type = before === undefined ? 'create' : 'update';
    return {
      content: `File ${type}d successfully at: ${file_path}`,
      structured: {
        type,
        filePath: file_path,
        content,
        structuredPatch: before ? patchHunks(before.text, content.replaceAll('\r\n', '\n')) : [],
        originalFile: before?.text ?? null,
        // What a host changes about a call comes as the call's own input.
        userModified: false,
      },
    };
  },
});
