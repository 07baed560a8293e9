// Goes on with an earlier conversation, tries something else in a copy of it, and lists both.
// Run it: npx tsx examples/resume-and-fork.ts
import { join } from 'node:path';
import { FileSessionStore, forkSession, listSessions, query, renameSession } from 'signalbox';
import { openStage } from './stage.ts';

await using stage = await openStage({
  name: 'resume-and-fork',
  turns: [
    { when: { user: 'Remember' }, say: ['I will remember the number 7.'] },
    { when: { user: 'Which number' }, say: ['It was 7; I have answered {{turn}} times before.'] },
  ],
});

/** Say something in a session, or in a new one, and return its id. */
async function say(prompt: string, resume?: string): Promise<string> {
  const options = resume === undefined ? stage.options : { ...stage.options, resume };
  let sessionId = '';
  for await (const message of query({ prompt, options })) {
    if (message.type !== 'result' || message.subtype !== 'success') continue;
    sessionId = message.session_id;
    console.log(`❯ ${prompt}\n${message.result}`);
  }
  return sessionId;
}

const first = await say('Remember the number 7.');
await say('Which number was it?', first);

// The agent's home is the stage; with your own, leave out the store.
const location = {
  dir: stage.folder,
  sessionStore: new FileSessionStore(join(stage.folder, '.claude/projects')),
};
await renameSession(first, 'A number to remember', location);
const fork = await forkSession(first, { ...location, title: 'The same, once more' });
await say('Which number was it, again?', fork.sessionId);

for (const { summary, sessionId } of await listSessions(location))
  console.log(`${sessionId === first ? 'original' : 'fork'}: ${summary}`);
