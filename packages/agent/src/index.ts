export { runAgent } from './run-agent.ts';
export { AGENT_VERSION, PROTOCOL_VERSION } from './version.ts';
