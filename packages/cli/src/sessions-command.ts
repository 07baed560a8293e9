import { readHubFile, signalboxHome } from '@signalbox/hub/bridge';
import { hasAgent, removingWords, STATE_WORDS, sessionTitle, stateNamed } from '@signalbox/protocol';
import { HubApi, type Session } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { harmless } from './harmless-text.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { allSessions, pickSession, shortId } from './hub/pick-session.ts';
import { FIRST_PORT, LAST_PORT } from './hub-ports.ts';
import { relayTable } from './nearby/relay-table.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { inOrder, sessionTable } from './sessions/session-table.ts';
import { leftWords } from './worktrees/worktree-words.ts';
import { roomOf } from './wrap-words.ts';
import { isSomebodyThere, saysYes } from './yes-or-no.ts';

const STATES = Object.values(STATE_WORDS)
  .map(({ word }) => (word.includes(' ') ? `"${word}"` : word))
  .join(', ');

const HELP = `Usage: signalbox sessions [options]
       signalbox sessions --nearby [--json]
       signalbox sessions stop|restart|rm [--yes] <id>

Lists the sessions of the hub, those that wait for an answer first. stop ends an agent and every
program it started, restart starts it again where its conversation ended, and rm ends the agent and
deletes the session with everything said in it; its worktree is removed if no work would be lost.
The start of an id is enough.

  --state STATE      only those in this state, one of
                     ${STATES}
  --nearby           list other programs' relays on this machine (ports 8765-8774)
  --json             print all details as JSON, with states as the API names them
  --yes              rm: do not ask first
${HUB_HELP}
  -h, --help         this text
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  state: { type: 'string' },
  nearby: { type: 'boolean' },
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What a command does with a session; true when it was done. */
type Action = (api: HubApi, session: Session, isSure: boolean) => Promise<boolean>;

const ACTIONS: Record<string, { perform: Action; done: string }> = {
  stop: { perform: (api, { id }) => api.stop(id).then(() => true), done: 'ended the agent of' },
  restart: { perform: (api, { id }) => api.restart(id).then(() => true), done: 'started again the agent of' },
  rm: { perform: remove, done: 'deleted' },
};

/** Run `signalbox sessions …`. */
export async function runSessions(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('sessions', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [word, start, ...rest] = positionals;
  const action = word === undefined ? undefined : ACTIONS[word];
  if (word !== undefined && (!action || start === undefined || rest.length > 0))
    throw new CommandOptionsError('sessions', 'Say stop, restart or rm, and the id of one session.');
  if (options.nearby) return listRelays(options.json ?? false);
  const state = options.state === undefined ? undefined : stateNamed(options.state);
  if (options.state !== undefined && state === undefined)
    throw new CommandOptionsError('sessions', `${options.state} is no state; these are: ${STATES}.`);
  const api = new HubApi(addressOf(await findHub(options)));
  if (action) {
    const session = await pickSession(api, start);
    const isDone = await action.perform(api, session, options.yes ?? false);
    process.stdout.write(isDone ? `${action.done} ${nameOf(session)}\n` : 'Nothing was deleted.\n');
    return isDone ? 0 : 1;
  }
  const sessions = (await allSessions(api)).filter(
    (session) => state === undefined || session.state === state,
  );
  if (options.json) process.stdout.write(`${JSON.stringify(inOrder(sessions), undefined, 2)}\n`);
  else if (sessions.length === 0)
    process.stdout.write(
      state === undefined
        ? `No sessions. ${commandHere('run "…"')} starts one.\n`
        : 'No session is in that state.\n',
    );
  else process.stdout.write(`${sessionTable(sessions, Date.now(), roomOf(process.stdout))}\n`);
  return 0;
}

/** What listens nearby, also without a hub. */
async function listRelays(asJson: boolean): Promise<number> {
  const { findRelays } = await import('@signalbox/transport/nearby');
  const relays = await findRelays();
  const { dial } = readHubFile(signalboxHome()) ?? {};
  const own = dial === undefined ? undefined : Number(new URL(dial).port);
  if (asJson) process.stdout.write(`${JSON.stringify(relays, undefined, 2)}\n`);
  else if (relays.length === 0)
    process.stdout.write(`Nothing listens on the ports ${FIRST_PORT} to ${LAST_PORT} that is a relay.\n`);
  else {
    process.stdout.write(`${relayTable(relays, own, roomOf(process.stdout))}\n`);
    const open = relays.find(({ port, state }) => state === 'open' && port !== own);
    if (open)
      process.stdout.write(`${commandHere(`attach ws://127.0.0.1:${open.port}`)} takes part in one.\n`);
  }
  return 0;
}

/** Delete a session. A person at a terminal is asked first; a script that is not sure ends no agent. */
async function remove(api: HubApi, session: Session, isSure: boolean): Promise<boolean> {
  const isAsked = !isSure && isSomebodyThere();
  const warning = removingWords(session.state, harmless(sessionTitle(session)));
  if (isAsked && !(await saysYes(`${warning} Go on?`))) return false;
  if ((isSure || isAsked) && hasAgent(session.state)) await api.stop(session.id);
  const { worktree } = await api.remove(session.id);
  if (worktree) process.stdout.write(`${leftWords(worktree)}\n`);
  return true;
}

function nameOf({ id, title }: Session): string {
  return `${shortId(id)}${title === null ? '' : ` ${harmless(title)}`}`;
}
