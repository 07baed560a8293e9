// Every function for conversations of the past, on one that this program holds first.
import { join } from 'node:path';
import {
  deleteSession,
  exportSession,
  FileSessionStore,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  InMemorySessionStore,
  importSessionToStore,
  listSessions,
  listSubagents,
  query,
  renameSession,
  tagSession,
} from 'signalbox';

const sessionStore = new InMemorySessionStore();
let id = '';
for await (const message of query({ prompt: 'say remember me', options: { sessionStore } }))
  id = message.type === 'result' ? message.session_id : id;

await renameSession(id, 'A name');
await tagSession(id, 'kept');
const info = await getSessionInfo(id);
const { sessionId: fork } = await forkSession(id);
const folder = new FileSessionStore(join(process.cwd(), 'stored-sessions'));
await importSessionToStore(id, folder);
const listed = (await listSessions()).map(({ sessionId }) => sessionId);
const messages = await getSessionMessages(id, { sessionStore: folder });
const markdown = await exportSession(id, { format: 'markdown' });
const subagents = await listSubagents(id);
await deleteSession(fork);

console.log(
  JSON.stringify({
    title: info?.customTitle,
    tag: info?.tag,
    isListed: listed.includes(id) && listed.includes(fork),
    isGone: (await getSessionInfo(fork)) === undefined,
    types: messages.map(({ type }) => type),
    mirrored: (await listSessions({ sessionStore })).length,
    isExported: markdown.includes('remember me'),
    subagents: [subagents, await getSubagentMessages(id, 'nobody')],
  }),
);
