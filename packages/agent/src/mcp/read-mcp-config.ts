import { lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isJsonObject, type JsonObject, messageOf, parseJson } from '@signalbox/protocol';
import { readPlainFile } from '@signalbox/transport/read-plain-file';
import { systemCode } from '../base/tool-failure.ts';
import { repositoryRoot } from '../settings/repository-root.ts';
import { type McpConfig, parseMcpConfig } from './mcp-config.ts';
import { McpConfigError } from './mcp-errors.ts';

/** Servers by name, as a file or a flag lists them. */
export type McpConfigs = ReadonlyMap<string, McpConfig>;

/** What a file says; a server that cannot be used is left out, and told about. */
export interface McpConfigFile {
  readonly servers: McpConfigs;
  readonly problems: readonly string[];
}

/** The servers of `--mcp-config`: JSON or files, later ones win. Throws {@link McpConfigError} at the first problem. */
export function readMcpConfig(values: readonly string[], cwd: string): McpConfigs {
  const servers = new Map<string, McpConfig>();
  for (const value of values) {
    const isJson = value.trimStart().startsWith('{');
    const place = isJson ? '--mcp-config' : resolve(cwd, value);
    const listed = serversOf(isJson ? parse(value, place) : readJson(place), place);
    for (const [name, entry] of listed) servers.set(name, parseMcpConfig(name, entry, place));
  }
  return servers;
}

/** The servers of the project's `.mcp.json` that `mayStart`, which is to ask people whether they trust the project. */
export function readProjectServers(
  cwd: string,
  mayStart: (name: string, config: McpConfig) => boolean,
): McpConfigFile {
  const file = join(cwd, '.mcp.json');
  const { servers, problems } = tolerantly(file, () => readJson(file, {}));
  return { servers: new Map([...servers].filter(([name, config]) => mayStart(name, config))), problems };
}

/** The user's own servers: those for every project, and those for this one (`local`). */
export function readUserServers(
  { home, env }: { readonly home: string; readonly env: NodeJS.ProcessEnv },
  cwd: string,
): { user: McpConfigs; local: McpConfigs; problems: readonly string[] } {
  const file = join(env.CLAUDE_CONFIG_DIR || home, '.claude.json');
  const user = tolerantly(file, () => readJson(file, {}));
  const local = tolerantly(file, () => {
    const { projects } = readJson(file, {});
    const key = repositoryRoot(cwd);
    const project = isJsonObject(projects) && Object.hasOwn(projects, key) ? projects[key] : {};
    return isJsonObject(project) ? project : {};
  });
  return {
    user: user.servers,
    local: local.servers,
    problems: [...new Set([...user.problems, ...local.problems])],
  };
}

function tolerantly(place: string, read: () => JsonObject): McpConfigFile {
  const servers = new Map<string, McpConfig>();
  const problems: string[] = [];
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      problems.push(messageOf(error));
    }
  };
  attempt(() => {
    for (const [name, entry] of serversOf({ mcpServers: {}, ...read() }, place))
      attempt(() => servers.set(name, parseMcpConfig(name, entry, place)));
  });
  return { servers, problems };
}

function serversOf({ mcpServers }: JsonObject, place: string): [string, unknown][] {
  if (isJsonObject(mcpServers)) return Object.entries(mcpServers);
  throw new McpConfigError(place, '"mcpServers" must be an object of servers by name');
}

function readJson(file: string, ifMissing?: JsonObject): JsonObject {
  let text: string;
  try {
    // What a person names may be a pipe.
    text = ifMissing ? readPlainFile(file) : readFileSync(file, 'utf8');
  } catch (error) {
    if (ifMissing && (systemCode(error) === 'ENOENT' || isPlaceholder(file))) return ifMissing;
    throw new McpConfigError(file, `it cannot be read: ${messageOf(error)}`, error);
  }
  return parse(text, file);
}

/** The sandbox puts a folder where the file would be, so that confined commands cannot create it. */
function isPlaceholder(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function parse(text: string, place: string): JsonObject {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new McpConfigError(place, `it is not JSON: ${messageOf(error)}`, error);
  }
  if (isJsonObject(value)) return value;
  throw new McpConfigError(place, 'it must be a JSON object');
}
