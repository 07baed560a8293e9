import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isJsonObject, type JsonObject, messageOf, parseJson } from '@signalbox/protocol';
import { Fields } from './fields.ts';
import { mustStayInside } from './find-files.ts';
import type { PluginIdentity } from './project-command.ts';
import { type OnProblem, orProblem, ProjectFileError } from './project-file-error.ts';
import type { SourceFolder } from './project-location.ts';
import { readText } from './read-text.ts';

/** What a plugin says about itself, and where it keeps things. Each reader throws {@link ProjectFileError}. */
export class PluginManifest implements PluginIdentity {
  readonly name: string;
  readonly root: string;
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly #fields: Fields;

  constructor(root: string, fields: Fields) {
    this.root = root;
    this.#fields = fields;
    this.name = fields.text('name') ?? basename(root);
    if (!/^[A-Za-z0-9][\w.-]*$/.test(this.name)) throw fields.wrong('name', 'letters, digits and -');
    this.version = fields.text('version');
    this.description = fields.text('description');
  }

  /** The manifest in a plugin's folder; a plugin without one is named after its folder. */
  static async read(root: string): Promise<PluginManifest> {
    const file = join(root, '.claude-plugin', 'plugin.json');
    return new PluginManifest(root, new Fields(file, existsSync(file) ? await readJson(file, root) : {}));
  }

  /** Where files of one kind lie, if the manifest says so. */
  folders(field: string): SourceFolder[] | undefined {
    return this.#fields.list(field)?.map((path) => this.folder(this.#inside(field, path)));
  }

  /** A folder of the plugin, or a single file in one. */
  folder(path: string): SourceFolder {
    const shared = { source: 'plugin', isTrusted: true, root: this.root } as const;
    return path.endsWith('.md')
      ? { ...shared, path: dirname(path), only: basename(path) }
      : { ...shared, path };
  }

  /** What the usual file and the manifest hold under this name, with the plugin's folder put in. */
  async configs(field: string, usual: string, onProblem: OnProblem): Promise<JsonObject[]> {
    const given = this.#fields.get(field) ?? [];
    const sources: unknown[] = [
      ...(existsSync(join(this.root, usual)) ? [`./${usual}`] : []),
      ...(Array.isArray(given) ? given : [given]),
    ];
    const read = sources.map((source) => orProblem(onProblem, () => this.#config(field, source)));
    return (await Promise.all(read)).filter((config) => config !== undefined);
  }

  async #config(field: string, source: unknown): Promise<JsonObject> {
    const value =
      typeof source === 'string' ? await readJson(this.#inside(field, source), this.root) : source;
    if (!isJsonObject(value)) throw this.#fields.wrong(field, 'a path or an object');
    const config = value[field] ?? value;
    if (!isJsonObject(config)) throw this.#fields.wrong(field, 'an object');
    return withRoot(config, this.root);
  }

  #inside(field: string, path: string): string {
    if (path !== '.' && !path.startsWith('./')) throw this.#fields.wrong(field, 'a path that begins with ./');
    return resolve(this.root, path);
  }
}

async function readJson(path: string, root: string): Promise<JsonObject> {
  await mustStayInside(path, root);
  const text = await readText(path);
  try {
    const value: unknown = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new ProjectFileError(path, `is not JSON (${messageOf(error)})`, error);
  }
  throw new ProjectFileError(path, 'is not a JSON object');
}

/** The same object with the plugin's folder in every text that asks for it. */
function withRoot(config: JsonObject, root: string): JsonObject {
  return JSON.parse(JSON.stringify(config), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('${CLAUDE_PLUGIN_ROOT}', () => root) : value,
  );
}
