import { permissionMode } from './permission-mode.ts';
import { expected, list, literal, object, optional, text } from './wire.ts';

const serverState = object({ name: text, status: expected(text), source: optional(text) });
const plugin = object({ name: text, path: expected(text), source: optional(text) });

export const initMessage = object({
  type: literal('system'),
  subtype: literal('init'),
  session_id: text,
  uuid: expected(text),
  cwd: expected(text),
  model: expected(text),
  permissionMode: expected(permissionMode),
  tools: expected(list(text)),
  mcp_servers: expected(list(serverState)),
  slash_commands: expected(list(text)),
  output_style: expected(text),
  apiKeySource: expected(text),
  claude_code_version: expected(text),
  agents: optional(list(text)),
  skills: optional(list(text)),
  plugins: optional(list(plugin)),
  betas: optional(list(text)),
  capabilities: optional(list(text)),
  additional_directories: optional(list(text)),
  original_cwd: optional(text),
  fast_mode_state: optional(text),
  user_message_uuids: optional(list(text)),
});
