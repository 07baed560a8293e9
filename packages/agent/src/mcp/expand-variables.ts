import type { McpConfig } from './mcp-config.ts';
import { McpConfigError } from './mcp-errors.ts';

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/**
 * The configuration with `${NAME}` and `${NAME:-default}` replaced from the environment. Throws
 * {@link McpConfigError}, which names the field, where a variable has neither a value nor a default.
 */
export function expandVariables(name: string, config: McpConfig, env: NodeJS.ProcessEnv): McpConfig {
  const expand = (field: string, text: string): string =>
    text.replace(VARIABLE, (_, variable: string, fallback: string | undefined) => {
      const value = env[variable] || fallback;
      if (value !== undefined) return value;
      throw new McpConfigError(`MCP server "${name}"`, `"${field}" needs ${variable}, which is not set`);
    });
  const expandMap = (field: string, map: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(map).map(([key, text]) => [key, expand(`${field}.${key}`, text)]));
  switch (config.type) {
    case 'stdio':
      return {
        ...config,
        command: expand('command', config.command),
        args: config.args.map((text, at) => expand(`args.${at}`, text)),
        env: expandMap('env', config.env),
      };
    case 'sse':
    case 'http':
      return { ...config, url: expand('url', config.url), headers: expandMap('headers', config.headers) };
    case 'sdk':
      return config;
  }
}
