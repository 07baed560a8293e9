export type { Chat, ChatSeat, Person } from './io/chat-seat.ts';
export { runAgent } from './run-agent.ts';
export type { SessionInfo } from './session/list-sessions.ts';
export { AGENT_VERSION, PROTOCOL_VERSION } from './version.ts';
