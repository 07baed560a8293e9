import { isJsonObject } from '@signalbox/protocol';
import { McpConfigError } from './mcp-errors.ts';

/** An MCP server that runs as a child process. */
export interface McpChildConfig {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An MCP server behind a URL. */
export interface McpRemoteConfig {
  readonly type: 'sse' | 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A command that prints more headers as a JSON object, run before each connection. */
  readonly headersHelper?: string;
}

/** An MCP server that lives in the host. */
export interface McpHostConfig {
  readonly type: 'sdk';
  readonly name: string;
}

/** How to reach an MCP server; variables in it are not expanded. */
export type McpConfig = McpChildConfig | McpRemoteConfig | McpHostConfig;

/** Check one server's configuration. Throws {@link McpConfigError}, which begins with `place`. */
export function parseMcpConfig(name: string, value: unknown, place: string): McpConfig {
  const where = `${place}, MCP server "${name}"`;
  if (!isJsonObject(value)) throw new McpConfigError(where, 'it must be an object');
  const text = (field: string): string => {
    const found = value[field];
    if (typeof found === 'string' && found !== '') return found;
    throw new McpConfigError(where, `"${field}" must be a text`);
  };
  switch (typeOf(value)) {
    case 'stdio':
      return {
        type: 'stdio',
        command: text('command'),
        args: textList(value.args ?? [], where),
        env: textMap(value.env ?? {}, 'env', where),
      };
    case 'sse':
    case 'http':
      return {
        type: value.type === 'sse' ? 'sse' : 'http',
        url: text('url'),
        headers: textMap(value.headers ?? {}, 'headers', where),
        ...(value.headersHelper === undefined ? {} : { headersHelper: text('headersHelper') }),
      };
    case 'sdk':
      return { type: 'sdk', name };
    default:
      throw new McpConfigError(
        where,
        `"type" must be stdio, http, sse or sdk; it is ${JSON.stringify(value.type)}`,
      );
  }
}

function typeOf({ type, url }: Record<string, unknown>): unknown {
  if (type === 'streamable-http') return 'http';
  return type ?? (url === undefined ? 'stdio' : 'http');
}

function textList(value: unknown, where: string): string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new McpConfigError(where, '"args" must be a list of texts');
}

function textMap(value: unknown, field: string, where: string): Record<string, string> {
  const entries = isJsonObject(value) ? Object.entries(value) : undefined;
  const wrong = entries?.find(([, item]) => typeof item !== 'string');
  if (!entries || wrong) {
    throw new McpConfigError(
      where,
      `"${wrong ? `${field}.${wrong[0]}` : field}" must be ${wrong ? 'a text' : 'an object of texts'}`,
    );
  }
  return Object.fromEntries(entries.map(([key, item]) => [key, String(item)]));
}
