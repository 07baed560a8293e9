import { dirname } from 'node:path';

/** The file whose variables are filled. */
export interface PathOwner {
  readonly kind: 'command' | 'skill';
  readonly path: string;
  readonly plugin: { readonly root: string } | undefined;
}

/** A backslash before a placeholder keeps it; two of them are two backslashes. */
const PLACEHOLDER = /(?<!\\)(\\*)\$(?:([A-Za-z_]\w*)(\[\d+\])?|(\d+)|\{(CLAUDE_\w+)\})/g;

/** The arguments of a call, and how the placeholders of a text are filled with them. */
export class Placeholders {
  readonly #all: string;
  readonly #words: readonly string[];
  readonly #names: readonly string[];
  readonly #variables: ReadonlyMap<string, string>;
  /** Whether a placeholder has taken an argument: if none has, the arguments would be lost. */
  wereUsed = false;

  constructor(args: string, names: readonly string[], variables: ReadonlyMap<string, string>) {
    this.#all = args.trim();
    this.#words = splitWords(args);
    this.#names = names;
    this.#variables = variables;
  }

  /** Fill a text in one pass: what is put in is never looked at again. */
  fill(text: string): string {
    return text.replace(
      PLACEHOLDER,
      (whole, slashes: string, name?: string, index = '', digits?: string, variable?: string) => {
        if (variable !== undefined) return slashes + (this.#variables.get(variable) ?? `\${${variable}}`);
        const isOurs = digits !== undefined || name === 'ARGUMENTS' || this.#names.includes(name ?? '');
        if (isOurs && slashes === '\\') return whole.slice(1);
        const value = this.#argument(name, index, digits);
        if (value === undefined) return whole;
        this.wereUsed = true;
        return slashes + value;
      },
    );
  }

  #argument(name: string | undefined, index: string, digits: string | undefined): string | undefined {
    if (digits !== undefined) return this.#words[Number(digits)];
    if (name === 'ARGUMENTS') return index ? this.#words[Number(index.slice(1, -1))] : this.#all;
    const at = name === undefined ? -1 : this.#names.indexOf(name);
    return at === -1 ? undefined : (this.#words[at] ?? '') + index;
  }
}

/** What the variables of a command stand for. */
export function pathVariables({ kind, path, plugin }: PathOwner, cwd: string): Map<string, string> {
  const variables = new Map([['CLAUDE_PROJECT_DIR', cwd]]);
  if (kind === 'skill') variables.set('CLAUDE_SKILL_DIR', dirname(path));
  if (plugin) variables.set('CLAUDE_PLUGIN_ROOT', plugin.root);
  return variables;
}

/** A text with the variables of its command, and no arguments. */
export function fillPaths(text: string, owner: PathOwner, cwd: string): string {
  const variables = pathVariables(owner, cwd);
  return text.replace(/\$\{(CLAUDE_\w+)\}/g, (whole, name: string) => variables.get(name) ?? whole);
}

/** Words as a shell would cut them: quotes keep spaces; a quote that is not closed is a letter. */
function splitWords(text: string): string[] {
  const words = text.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|\S)+/gs) ?? [];
  return words.map((word) =>
    word.replace(
      /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs,
      (_, double?: string, single?: string, escaped?: string) =>
        double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? '',
    ),
  );
}
