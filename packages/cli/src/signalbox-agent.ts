import { type ChatAgent, runAgent } from '@signalbox/agent';

/** Loaded for people only: an agent that a program drives starts without it. */
async function chat(agent: ChatAgent): Promise<number> {
  const { chatWithAgent } = await import('./chat-with-agent.ts');
  return chatWithAgent(agent);
}

// A host that closes stderr does not want to hear; it must not end the agent.
process.stderr.on('error', () => {});
// An open stdin would keep a process alive whose work is done.
void runAgent(process.argv.slice(2), chat).then((code) => process.exit(code));
