export { AGENT_VERSION, PROTOCOL_VERSION } from './base/version.ts';
export type { Chat, ChatSeat, Person } from './io/chat-seat.ts';
export { runAgent } from './run-agent.ts';
export { probeBubblewrap } from './sandbox/bubblewrap.ts';
export type { SessionInfo } from './session/list-sessions.ts';
export { hasRipgrep } from './tools/search/ripgrep.ts';
