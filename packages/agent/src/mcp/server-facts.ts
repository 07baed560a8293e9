import type { McpServerFacts } from '../settings/mcp-policy.ts';
import type { McpConfig } from './mcp-config.ts';

/** What a policy goes by; the variables in the configuration must be expanded. */
export function serverFacts(name: string, config: McpConfig): McpServerFacts {
  switch (config.type) {
    case 'stdio':
      return { name, command: [config.command, ...config.args] };
    case 'sse':
    case 'http':
      return { name, url: config.url };
    case 'sdk':
      return { name, isInHost: true };
  }
}
