import { isJsonObject, type JsonObject, messageOf } from '@signalbox/protocol';
import { Fields } from './fields.ts';
import { ProjectFileError } from './project-file-error.ts';
import { readText } from './read-text.ts';

/** Front matter holds a few short values. */
export const MAX_FRONT_MATTER_CHARS = 16 * 1024;

/** A Markdown file: what stands between its `---` lines, and what comes after. */
export interface MarkdownFile {
  readonly path: string;
  readonly fields: Fields;
  readonly body: string;
}

/** Read a Markdown file. Throws {@link ProjectFileError}, with the line where its front matter is broken. */
export async function readMarkdown(path: string): Promise<MarkdownFile> {
  return parseMarkdown(path, await readText(path));
}

/** Take front matter and body apart. Only a file that begins with a line `---` has front matter. */
export async function parseMarkdown(path: string, text: string): Promise<MarkdownFile> {
  const lines = text.split('\n');
  const isMark = (line: string): boolean => line.trimEnd() === '---';
  if (!isMark(lines[0] ?? '')) return { path, fields: new Fields(path, {}), body: text };
  const end = lines.findIndex((line, at) => at > 0 && isMark(line));
  if (end === -1) throw new ProjectFileError(`${path}:1`, 'the front matter has no closing line ---');
  const values = await parseYaml(path, lines.slice(1, end));
  return {
    path,
    fields: new Fields(path, values),
    body: lines
      .slice(end + 1)
      .join('\n')
      .replace(/^\n+/, ''),
  };
}

async function parseYaml(path: string, lines: readonly string[]): Promise<JsonObject> {
  const text = lines.join('\n');
  if (text.trim() === '') return {};
  if (text.length > MAX_FRONT_MATTER_CHARS) {
    throw new ProjectFileError(path, `the front matter is longer than ${MAX_FRONT_MATTER_CHARS} characters`);
  }
  const { parseDocument } = await import('./yaml-document.ts');
  const attempt = (yaml: string): Attempt => {
    try {
      const document = parseDocument(yaml, { logLevel: 'silent' });
      const [error] = document.errors;
      return error ? { error, line: error.linePos?.[0].line } : { values: document.toJS() };
    } catch (error) {
      return { error };
    }
  };
  const asWritten = attempt(text);
  const asMeant = asWritten.error
    ? attempt(lines.map((line) => (attempt(line).error ? quoted(line) : line)).join('\n'))
    : asWritten;
  if (asMeant.error) throw notYaml(path, asWritten);
  if (isJsonObject(asMeant.values)) return asMeant.values;
  throw new ProjectFileError(`${path}:2`, 'the front matter has no names with values');
}

interface Attempt {
  readonly values?: unknown;
  readonly error?: unknown;
  readonly line?: number | undefined;
}

/**
 * A line whose value is taken for plain text. People write `argument-hint: [file] [format]` and `description: Use it
 * when: …`, which is not YAML. What was begun as something else, such as a list that is not closed, stays an error.
 */
function quoted(line: string): string {
  return line.replace(
    /^([\w-]+:[ \t]+)(\[.*\]|[^\s[\]{}"'|>&!#%].*)$/,
    (_, name: string, value: string) => name + JSON.stringify(value.trim()),
  );
}

function notYaml(path: string, { error, line = 1 }: Attempt): ProjectFileError {
  const [reason = ''] = messageOf(error).split(/ at line \d+|\n/, 1);
  return new ProjectFileError(`${path}:${line + 1}`, `the front matter is not YAML (${reason})`, error);
}
