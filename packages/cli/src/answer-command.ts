import { HubApi } from 'signalbox/hub';
import { ANSWER_WORDS, type AnswerWord, answerInWords } from './answer/answer-in-words.ts';
import { requestTable } from './answer/request-table.ts';
import { requestWords } from './answer/request-words.ts';
import { requestNamed, type WaitingRequest, waitingRequests } from './answer/waiting-requests.ts';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { endOfAsk } from './hub/author-words.ts';
import { addressOf, type FoundHub, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { printHelp } from './print-help.ts';
import { roomOf } from './wrap-words.ts';
import { isSomebodyThere } from './yes-or-no.ts';

const HELP = `Usage: signalbox answer [options]
       signalbox answer <id> allow|always|deny|say ["words"]

Shows what agents ask for, oldest first, and lets you answer one after the other; without a terminal
it only lists them. With an id it answers one: allow, always (allow, and save the rule that the
agent suggests), deny with a reason for the agent, or say the answer to a question: the name of an
option, or your own words. The start of an id is enough.

  --list             only list what is waiting
  --json             print all details as JSON
${HUB_HELP}
  -h, --help         this text

The exit code is 1 if somebody else answered first, or nothing with that id is waiting.
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  list: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Exit codes. */
const CODE = { done: 0, late: 1, left: 130 } as const;

/** Run `signalbox answer …`. */
export async function runAnswer(argv: readonly string[], endOfWork: () => AbortSignal): Promise<number> {
  const { values: options, positionals } = readCommand('answer', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return CODE.done;
  }
  const [start, word, ...words] = positionals;
  const chosen = ANSWER_WORDS.find((known) => known === word);
  if (start !== undefined && !chosen)
    throw new CommandOptionsError('answer', 'Say the id of a request, and allow, always, deny or say.');
  const hub = await findHub(options);
  const api = new HubApi(addressOf(hub));
  if (start === undefined && !options.list && !options.json && isSomebodyThere())
    return askAll(hub, api, endOfWork());
  const waiting = await waitingRequests(api);
  if (start !== undefined && chosen)
    return answerNamed(api, requestNamed(waiting, start), chosen, words.join(' ').trim());
  if (options.json)
    process.stdout.write(
      `${JSON.stringify(
        waiting.map(({ permission }) => permission),
        undefined,
        2,
      )}\n`,
    );
  else if (waiting.length === 0) process.stdout.write('Nothing waits for an answer.\n');
  else process.stdout.write(`${requestTable(waiting, Date.now(), roomOf(process.stdout))}\n`);
  return CODE.done;
}

async function askAll(hub: FoundHub, api: HubApi, signal: AbortSignal): Promise<number> {
  const { answerOneByOne } = await import('./answer/answer-one-by-one.ts');
  const { openStream } = await import('./hub/open-stream.ts');
  const stream = openStream(hub, () => {});
  try {
    await answerOneByOne(api, stream, signal);
  } finally {
    stream.close();
  }
  return signal.aborted ? CODE.left : CODE.done;
}

async function answerNamed(
  api: HubApi,
  { session, permission }: WaitingRequest,
  word: AnswerWord,
  text: string,
): Promise<number> {
  const answer = answerInWords(permission, word, text);
  const { isFirst, permission: now } = await api.answer(session.id, permission.requestId, answer);
  if (!isFirst) {
    process.stderr.write(`signalbox answer: ${endOfAsk(now) ?? 'somebody else was first'}\n`);
    return CODE.late;
  }
  process.stdout.write(`${DONE[word]}: ${requestWords(permission, session.folder)}\n`);
  return CODE.done;
}

const DONE: Record<AnswerWord, string> = {
  allow: 'allowed',
  always: 'allowed, also from now on',
  deny: 'denied',
  say: 'answered',
};
