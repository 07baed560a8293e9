import { type ControlPeer, isJsonObject, type JsonObject } from '@signalbox/protocol';
import type { McpServers } from '../mcp/mcp-servers.ts';

/** Answer what a host asks of MCP servers. */
export function answerMcp(peer: ControlPeer, servers: McpServers): void {
  peer.handle('mcp_status', () => ({ mcpServers: servers.statuses() }));
  peer.handle('mcp_reconnect', ({ serverName }) => servers.reconnect(String(serverName)));
  peer.handle('mcp_toggle', ({ serverName, enabled }) =>
    servers.toggle(String(serverName), enabled === true),
  );
  peer.handle('mcp_message', ({ server_name: name, message }) => {
    servers.receive(String(name), objectOf(message));
  });
  peer.handle('mcp_read_resource', ({ serverName, uri }, { signal }) =>
    servers.readResource(String(serverName), String(uri), signal),
  );
  peer.handle('mcp_set_servers', ({ servers: wanted }) => servers.setServers(objectOf(wanted)));
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
