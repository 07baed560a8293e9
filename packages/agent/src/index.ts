export { AGENT_VERSION, PROTOCOL_VERSION } from './base/version.ts';
export type { Chat, ChatAgent, Person } from './io/chat-agent.ts';
export { runAgent } from './run-agent.ts';
export { probeBubblewrap } from './sandbox/bubblewrap.ts';
export type { SessionInfo } from './session/list-sessions.ts';
export { hasRipgrep } from './tools/search/ripgrep.ts';
