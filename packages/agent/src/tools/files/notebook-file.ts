import { messageOf, parseJson } from '@signalbox/protocol';
import * as z from 'zod/mini';
import { ToolFailure } from '../../base/tool-failure.ts';
import { childrenOf, type JsonRange, membersOf } from './json-elements.ts';

const cell = z.looseObject({
  cell_type: z.string(),
  id: z.optional(z.string()),
  source: z.union([z.string(), z.array(z.string())]),
});

const notebook = z.looseObject({
  nbformat: z.number(),
  nbformat_minor: z.optional(z.number()),
  cells: z.array(cell),
  metadata: z.optional(z.looseObject({ language_info: z.optional(z.looseObject({ name: z.string() })) })),
});

/** A cell as the file has it, with all its fields. */
export type NotebookCell = z.infer<typeof cell>;

/** A notebook that is changed cell by cell: everything else in the file stays as it is written. */
export class NotebookFile {
  readonly cells: readonly NotebookCell[];
  readonly language: string;
  /** Since 4.5 every cell must have an id; before, none may. */
  readonly hasIds: boolean;
  readonly #text: string;
  readonly #list: JsonRange;
  readonly #written: readonly string[];
  /** One step of the file's indentation; nothing where it stands on one line. */
  readonly #indent: string;

  /** Throws {@link ToolFailure} for a text that is no notebook of version 4. */
  constructor(path: string, text: string) {
    const { nbformat, nbformat_minor = 0, cells, metadata } = parse(path, text);
    if (nbformat !== 4) {
      throw new ToolFailure(
        `${path} has the notebook format ${nbformat}; only 4 can be edited. Convert it with jupyter nbconvert in Bash.`,
      );
    }
    this.cells = cells;
    this.language = metadata?.language_info?.name ?? 'python';
    this.hasIds = nbformat_minor >= 5;
    this.#text = text;
    this.#list = membersOf(text).get('cells') ?? { start: 0, end: 0 };
    this.#written = childrenOf(text, this.#list).map(({ start, end }) => text.slice(start, end));
    this.#indent = /^\s*\{\n([ \t]+)/.exec(text)?.[1] ?? '';
  }

  /** Where the cell with this id is; one without an id is known by its number, as Read shows it. */
  indexOf(id: string): number {
    const found = this.cells.findIndex((one) => one.id === id);
    if (found >= 0) return found;
    const index = Number(/^cell-(\d{1,6})$/.exec(id)?.[1] ?? Number.NaN);
    if (index < this.cells.length) return index;
    const ids = this.cells.slice(0, 20).map((one, at) => one.id ?? `cell-${at}`);
    throw new ToolFailure(`Cell with ID "${id}" not found in notebook. Its cells: ${ids.join(', ')}.`);
  }

  /** The text of the notebook with other cells in the place of some. */
  withCells(at: number, removed: number, added: readonly NotebookCell[]): string {
    const written = this.#written.toSpliced(at, removed, ...added.map((one) => this.#write(one)));
    const { start, end } = this.#list;
    return this.#text.slice(0, start) + this.#writeList(written) + this.#text.slice(end);
  }

  #write(one: NotebookCell): string {
    // A line feed inside of a text is written as \n: every real one is ours.
    return JSON.stringify(one, null, this.#indent).replaceAll('\n', `\n${this.#indent.repeat(2)}`);
  }

  #writeList(written: readonly string[]): string {
    if (written.length === 0) return '[]';
    if (this.#indent === '') return `[${written.join(', ')}]`;
    const outer = `\n${this.#indent}`;
    const inner = outer + this.#indent;
    return `[${inner}${written.join(`,${inner}`)}${outer}]`;
  }
}

/** What a cell says, in one text. */
export function sourceOf({ source }: NotebookCell): string {
  return typeof source === 'string' ? source : source.join('');
}

/** A text as a cell holds it: line by line, unless its neighbours do otherwise. */
export function asSource(text: string, like: NotebookCell | undefined): NotebookCell['source'] {
  return typeof like?.source === 'string' ? text : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

function parse(path: string, text: string): z.infer<typeof notebook> {
  try {
    return z.parse(notebook, parseJson(text));
  } catch (error) {
    throw new ToolFailure(`${path} is not a Jupyter notebook: ${messageOf(error)}`, error);
  }
}
