import { createRequire } from 'node:module';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type {
  AnyZodRawShape,
  InferShape,
  McpSdkServerConfigWithInstance,
  SdkMcpToolDefinition,
} from '../types/mcp.ts';
import { ALWAYS_LOAD } from './tool.ts';

/** The part of the MCP library that makes servers. */
interface McpModule {
  McpServer: typeof McpServer;
}

/** What {@link createSdkMcpServer} makes a server of. */
export interface CreateSdkMcpServerOptions {
  name: string;
  version?: string;
  instructions?: string;
  tools?: SdkMcpToolDefinition[];
  alwaysLoad?: boolean;
  timeout?: number;
}

/**
 * An MCP server that lives in this process, for `options.mcpServers`. Resources and prompts are registered on its
 * `instance`, which is made when it is first asked for: the MCP library costs more time than the rest of this package.
 */
export function createSdkMcpServer(options: CreateSdkMcpServerOptions): McpSdkServerConfigWithInstance {
  let instance: McpServer | undefined;
  return {
    type: 'sdk',
    name: options.name,
    ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
    get instance() {
      instance ??= createServer(options);
      return instance;
    },
  };
}

/** Synchronous, because `instance` is: a promise there would break programs that register on it. */
function createServer({
  name,
  version = '1.0.0',
  instructions,
  tools,
  alwaysLoad,
}: CreateSdkMcpServerOptions) {
  const mcp: McpModule = createRequire(import.meta.url)('@modelcontextprotocol/sdk/server/mcp.js');
  const server = new mcp.McpServer(
    { name, version },
    { capabilities: tools ? { tools: {} } : {}, ...(instructions === undefined ? {} : { instructions }) },
  );
  for (const { name: toolName, handler, ...config } of tools ?? []) {
    const meta = alwaysLoad ? { _meta: { [ALWAYS_LOAD]: true, ...config['_meta'] } } : {};
    server.registerTool(
      toolName,
      { ...config, ...meta },
      (args: InferShape<AnyZodRawShape>, extra: unknown) => handler(args, extra),
    );
  }
  return server;
}
