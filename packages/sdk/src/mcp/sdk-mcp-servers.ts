import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ControlHandler, ControlPeer } from '@signalbox/protocol';
import { atItsWord } from '../agent-words.ts';
import type {
  McpSdkServerConfigWithInstance,
  McpServerConfig,
  McpServerConfigForProcessTransport,
} from '../types/mcp.ts';
import { INTERNAL_ERROR, McpWire, METHOD_NOT_FOUND, rpcError, type ServerVoice } from './mcp-wire.ts';

interface Attached {
  config: McpSdkServerConfigWithInstance;
  voice: ServerVoice;
  /** Set once the agent has spoken to the server: asking a config for its instance makes one. */
  wire?: McpWire;
}

/** One wire a server, however many conversations use it. */
const wires = new WeakMap<McpServer, McpWire>();

/** The MCP servers of one conversation that live in this process. */
export class SdkMcpServers {
  readonly #attached = new Map<string, Attached>();
  #peer: ControlPeer | undefined;

  constructor(servers: Record<string, McpServerConfig> = {}) {
    this.replace(servers);
  }

  get names(): string[] {
    return [...this.#attached.keys()];
  }

  /** What the agent is told of these servers; those of this process are replaced by them. */
  replace(servers: Record<string, McpServerConfig>): Record<string, McpServerConfigForProcessTransport> {
    const told: [string, McpServerConfigForProcessTransport][] = [];
    const kept = new Set<string>();
    for (const [name, config] of Object.entries(servers)) {
      if (!isSdkServer(config)) {
        told.push([name, config]);
        continue;
      }
      told.push([name, { type: 'sdk', name }]);
      kept.add(name);
      if (this.#attached.get(name)?.config === config) continue;
      this.#detach(name);
      this.#attached.set(name, { config, voice: (message) => this.#pass(name, message) });
    }
    for (const name of this.names) if (!kept.has(name)) this.#detach(name);
    return Object.fromEntries(told);
  }

  /** Answer this agent's messages, and let the servers speak to it. */
  serve(peer: ControlPeer): void {
    this.#peer = peer;
    peer.handle('mcp_message', this.#answer);
  }

  close(): void {
    for (const name of this.names) this.#detach(name);
  }

  readonly #answer: ControlHandler = async ({ server_name, message: said }, { signal }) => {
    const message = atItsWord('mcp', said);
    const id = 'id' in message ? message.id : undefined;
    const attached = this.#attached.get(String(server_name));
    if (!attached)
      return { mcp_response: rpcError(id, METHOD_NOT_FOUND, `Server '${String(server_name)}' not found`) };
    try {
      const server = attached.config.instance;
      attached.wire ??= wireOf(server, attached.voice);
      const answer = await attached.wire.deliver(server, message, attached.voice, signal);
      return { mcp_response: answer ?? { jsonrpc: '2.0', result: {}, id: 0 } };
    } catch (error) {
      return { mcp_response: rpcError(id, INTERNAL_ERROR, error) };
    }
  };

  /** The agent may be gone, or may not want to hear it: the server is none the worse for it. */
  #pass(server_name: string, message: JSONRPCMessage): void {
    this.#peer?.request({ subtype: 'mcp_message', server_name, message }).catch(() => {});
  }

  #detach(name: string): void {
    const attached = this.#attached.get(name);
    if (!attached) return;
    this.#attached.delete(name);
    attached.wire?.detach(attached.voice);
  }
}

function wireOf(server: McpServer, voice: ServerVoice): McpWire {
  const wire = wires.get(server) ?? new McpWire();
  wires.set(server, wire);
  wire.attach(voice);
  return wire;
}

function isSdkServer(config: McpServerConfig): config is McpSdkServerConfigWithInstance {
  return config.type === 'sdk';
}
