import { type ChatSeat, runAgent } from '@signalbox/agent';

/** Loaded for people only: an agent that a program drives starts without it. */
async function chat(seat: ChatSeat): Promise<number> {
  const { chatWithAgent } = await import('./chat-with-agent.ts');
  return chatWithAgent(seat);
}

// An open stdin would keep a process alive whose work is done.
void runAgent(process.argv.slice(2), chat).then((code) => process.exit(code));
