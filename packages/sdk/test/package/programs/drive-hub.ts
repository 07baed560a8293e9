// Everything that talks to a hub: its address and token come from the environment.
import { collectText, connect } from 'signalbox';
import { DirectConnect } from 'signalbox/browser';
import { agentMessage, HubApi, HubStream } from 'signalbox/hub';

const { SIGNALBOX_HUB: url = '', SIGNALBOX_TOKEN: token = '' } = process.env;
const api = new HubApi({ url, token });
const { session } = await api.createSession({ launch: { agent: 'signalbox-agent', folder: process.cwd() } });

/** What the stream tells of a turn. */
async function watched(prompt: string): Promise<unknown> {
  const stream = new HubStream({ url, token });
  const result = new Promise((resolve) => {
    stream.watch(session.id, (told) => {
      const message = told.type === 'sdk-message' ? agentMessage(told) : undefined;
      if (message?.type === 'result')
        resolve(message.subtype === 'success' ? message.result : message.errors);
    });
  });
  await stream.prompt(session.id, prompt);
  const said = await result;
  stream.close();
  return said;
}

/** What a client of the kind that web pages have is told of a turn. */
function heardByPage(prompt: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const wsUrl = `${url.replace('http', 'ws')}/api/sessions/${session.id}/wire`;
    const page = new DirectConnect(
      { wsUrl, authToken: token },
      {
        onConnected: () => page.sendMessage(prompt),
        onMessage: (message) => {
          if (message.type !== 'result') return;
          page.disconnect();
          resolve(message.subtype === 'success' ? message.result : message.errors);
        },
        onPermissionRequest: () => {},
        onError: reject,
      },
    );
    page.connect();
  });
}

const streamed = await watched('say streamed');
const asked: string[] = [];
const agent = connect(`${url}/api/sessions/${session.id}`, token, {
  prompt: 'run touch a-file',
  canUseTool: async (name) => {
    asked.push(name);
    return { behavior: 'allow' };
  },
});
const connected = await collectText(agent);
const direct = await heardByPage('say direct');
await api.stop(session.id);
await api.remove(session.id);
const { items } = await api.sessions();

console.log(JSON.stringify({ streamed, connected, asked, direct, left: items.length }));
