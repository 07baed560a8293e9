import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { AGENT_VERSION, type ChatAgent } from '@signalbox/agent';
import { createMemoryPair } from '@signalbox/transport';
import { fitted } from './wrap-words.ts';

/** Talk to the agent in this terminal: the chat is a host like any other, in the same process. */
export async function chatWithAgent(agent: ChatAgent): Promise<number> {
  const { createFileHistory, pickSession, requireTerminal, runChat } = await import('@signalbox/chat');
  requireTerminal(process.stdin, process.stdout);
  if (agent.withheld.length > 0 && (await isTrusted(agent.withheld))) await agent.trust();
  let resume: string | undefined;
  if (agent.wantsToChoose) {
    const sessions = await agent.sessions();
    if (sessions.length === 0) {
      process.stderr.write('There is no session to go on with in this folder.\n');
      return 1;
    }
    resume = await pickSession(
      sessions.map(({ sessionId, summary, lastModified, gitBranch }) => ({
        id: sessionId,
        title: summary,
        when: new Date(lastModified),
        branch: gitBranch,
      })),
    );
    if (resume === undefined) return 0;
  }
  const { left, right } = createMemoryPair();
  const leaving = new AbortController();
  const running = agent.start({ transport: right, leaves: leaving.signal }, resume);
  const chat = runChat({
    transport: left,
    cwd: agent.cwd,
    title: `signalbox-agent ${AGENT_VERSION}`,
    history: createFileHistory(join(agent.configDir, 'signalbox-history.jsonl')),
    ...(agent.initialPrompt === undefined ? {} : { initialPrompt: agent.initialPrompt }),
  });
  const failure = running.then(
    () => undefined,
    async (error: unknown) => {
      // An agent that cannot even start has no other way to tell the chat.
      await right.close();
      return error;
    },
  );
  const code = await chat;
  leaving.abort();
  const error = await failure;
  // That nobody hears the agent any more is no failure once the person has left.
  if (code !== 0 && error !== undefined) throw error;
  return code;
}

/** A folder that is not trusted works as well, without what it would switch on. */
async function isTrusted(withheld: readonly string[]): Promise<boolean> {
  const ask = createInterface({ input: process.stdin, output: process.stdout });
  const words = `This folder is not trusted, so it cannot set: ${withheld.join('; ')}.`;
  try {
    const answer = await ask.question(
      `${fitted(words, process.stdout)}\nDo you trust whoever wrote it? [y/N] `,
    );
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    ask.close();
  }
}
