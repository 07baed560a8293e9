import { SESSION_STATES } from '@signalbox/protocol/hub';
import { HubApi } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { allSessions, pickSession, SHORT_ID } from './hub/pick-session.ts';
import { inOrder, sessionTable } from './sessions/session-table.ts';

const HELP = `Usage: signalbox sessions [options]
       signalbox sessions stop|restart|rm <id>

Lists the sessions of the hub, those that wait for an answer first; or ends an agent with all that
it started, starts it again where its conversation ended, or removes a session with its record. The
start of an id is enough.

  --state STATE      only those: ${SESSION_STATES.join(', ')}
  --json             everything about them, as JSON
${HUB_HELP}
  -h, --help         this text
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  state: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What can be done with a session, and what is said when it is done. */
const DEEDS: Record<string, { perform: (api: HubApi, id: string) => Promise<unknown>; done: string }> = {
  stop: { perform: (api, id) => api.stop(id), done: 'stopped' },
  restart: { perform: (api, id) => api.restart(id), done: 'restarted' },
  rm: { perform: (api, id) => api.remove(id), done: 'removed' },
};

/** Run `signalbox sessions …`. */
export async function runSessions(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('sessions', argv, OPTIONS);
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const [word, start, ...rest] = positionals;
  const deed = word === undefined ? undefined : DEEDS[word];
  if (word !== undefined && (!deed || start === undefined || rest.length > 0))
    throw new CommandOptionsError('sessions', 'Say stop, restart or rm, and the id of one session.');
  const { state } = options;
  if (state !== undefined && !SESSION_STATES.some((known) => known === state))
    throw new CommandOptionsError(
      'sessions',
      `${state} is no state; these are: ${SESSION_STATES.join(', ')}.`,
    );
  const api = new HubApi(addressOf(await findHub(options)));
  if (deed) {
    const { id, title } = await pickSession(api, start);
    await deed.perform(api, id);
    process.stdout.write(`${deed.done} ${id.slice(0, SHORT_ID)}${title === null ? '' : ` ${title}`}\n`);
    return 0;
  }
  const sessions = (await allSessions(api)).filter(
    (session) => state === undefined || session.state === state,
  );
  if (options.json) process.stdout.write(`${JSON.stringify(inOrder(sessions), undefined, 2)}\n`);
  else if (sessions.length === 0) process.stdout.write('No sessions. signalbox run "…" starts one.\n');
  else
    process.stdout.write(
      `${sessionTable(sessions, Date.now(), process.stdout.columns ?? Number.POSITIVE_INFINITY)}\n`,
    );
  return 0;
}
