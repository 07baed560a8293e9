import { extname } from 'node:path';
import * as z from 'zod/mini';
import { ToolFailure } from '../base/tool-failure.ts';
import { writeAtomically } from '../base/write-atomically.ts';
import { missingFile } from './files/missing-file.ts';
import { asSource, type NotebookCell, NotebookFile, sourceOf } from './files/notebook-file.ts';
import { asInFile, readTextFile } from './files/text-file.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  notebook_path: z.string(),
  cell_id: z.optional(z.string()),
  new_source: z.string(),
  cell_type: z.optional(z.enum(['code', 'markdown'])),
  edit_mode: z.optional(z.enum(['replace', 'insert', 'delete'])),
});

export const notebookEditTool = defineTool({
  name: 'NotebookEdit',
  description: [
    'Change one cell of a Jupyter notebook.',
    '- The notebook must have been read in this session, and not been changed since. `cell_id` is what Read shows.',
    '- `edit_mode`: `replace` (default) gives the cell `new_source` and drops its outputs; `insert` makes a cell of `cell_type` after `cell_id`, or at the beginning without one; `delete` removes the cell.',
    '- The rest of the file stays as it is written.',
  ].join('\n'),
  input,
  isEdit: true,
  fileField: 'notebook_path',
  async run(wanted, { session, signal, paths: [path = wanted.notebook_path] }) {
    const { notebook_path, new_source, edit_mode = 'replace' } = wanted;
    if (extname(path).toLowerCase() !== '.ipynb') {
      throw new ToolFailure(`${path} is no Jupyter notebook (.ipynb). Use Edit for other files.`);
    }
    const before = await readTextFile(path);
    if (!before) throw await missingFile(path, session);
    await session.files.assertFresh(path);
    const notebook = new NotebookFile(path, before.text);
    const { text, cell, cellId, old } = EDITS[edit_mode](notebook, wanted);
    signal.throwIfAborted();
    await session.beforeFileChange(path);
    session.files.saw(path, await writeAtomically(path, asInFile(text, before)));
    return {
      content: `${SAID[edit_mode]} cell ${cellId}${edit_mode === 'delete' ? '' : ` with ${new_source}`}`,
      structured: {
        new_source,
        ...(old ? { old_source: sourceOf(old) } : {}),
        cell_type: cell.cell_type,
        language: notebook.language,
        edit_mode,
        cell_id: cellId,
        error: '',
        notebook_path,
        original_file: before.text,
        updated_file: text,
      },
    };
  },
});

const SAID = { replace: 'Updated', insert: 'Inserted', delete: 'Deleted' };

interface CellEdit {
  /** The notebook afterwards. */
  text: string;
  cell: NotebookCell;
  cellId: string;
  /** What was there before. */
  old?: NotebookCell;
}

type Wanted = z.infer<typeof input>;

const EDITS = { replace: replaceCell, insert: insertCell, delete: deleteCell };

function replaceCell(notebook: NotebookFile, { cell_id, new_source, cell_type }: Wanted): CellEdit {
  const { at, old, cellId } = namedCell(notebook, cell_id);
  const cell = withResults({
    ...old,
    cell_type: cell_type ?? old.cell_type,
    source: asSource(new_source, old),
  });
  return { text: notebook.withCells(at, 1, [cell]), cell, cellId, old };
}

function insertCell(notebook: NotebookFile, { cell_id, new_source, cell_type }: Wanted): CellEdit {
  if (cell_type === undefined) throw new ToolFailure('To insert a cell say its cell_type: code or markdown.');
  const at = cell_id === undefined ? 0 : notebook.indexOf(cell_id) + 1;
  const id = newId(notebook);
  const cell = withResults({
    cell_type,
    ...(notebook.hasIds ? { id } : {}),
    metadata: {},
    source: asSource(new_source, notebook.cells[0]),
  });
  const cellId = notebook.hasIds ? id : `cell-${at}`;
  return { text: notebook.withCells(at, 0, [cell]), cell, cellId };
}

function deleteCell(notebook: NotebookFile, { cell_id }: Wanted): CellEdit {
  const { at, old, cellId } = namedCell(notebook, cell_id);
  return { text: notebook.withCells(at, 1, []), cell: old, cellId, old };
}

function namedCell(
  notebook: NotebookFile,
  id: string | undefined,
): { at: number; old: NotebookCell; cellId: string } {
  if (id === undefined) throw new ToolFailure('Say which cell: cell_id is missing.');
  const at = notebook.indexOf(id);
  const old = notebook.cells[at];
  if (!old) throw new ToolFailure(`Cell with ID "${id}" not found in notebook.`);
  return { at, old, cellId: id };
}

/** A code cell must have results, here those of one that has not run; no other cell may. In the order of Jupyter. */
function withResults(cell: NotebookCell): NotebookCell {
  const { cell_type, id, source, execution_count: _count, outputs: _outputs, ...rest } = cell;
  const isCode = cell_type === 'code';
  return {
    cell_type,
    ...(isCode ? { execution_count: null } : {}),
    ...(id === undefined ? {} : { id }),
    ...rest,
    ...(isCode ? { outputs: [] } : {}),
    source,
  };
}

function newId({ cells }: NotebookFile): string {
  const id = crypto.randomUUID().slice(0, 8);
  return cells.some((cell) => cell.id === id) ? crypto.randomUUID() : id;
}
