import { SignalboxError } from '@signalbox/protocol';
import { LOOP_STATE_WORDS } from '@signalbox/protocol/loop';
import { HubApi, type Loop, type LoopAct } from 'signalbox/hub';
import { inOneLine } from './cell-text.ts';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { everyItem } from './hub/every-item.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { pickById } from './hub/pick-by-id.ts';
import { shortId } from './hub/pick-session.ts';
import { CHANGE_OPTIONS, changeOptionIn, loopChange } from './loop/loop-change.ts';
import { commandHere } from './own-command.ts';
import { printHelp } from './print-help.ts';
import { fittedTable } from './text-table.ts';
import { ageWords } from './time-words.ts';
import { roomOf } from './wrap-words.ts';

const HELP = `Usage: signalbox loops [options]
       signalbox loops watch|pause|resume|stop|rm <id>
       signalbox loops edit <id> [options] ["new task"]

Lists the loops of the hub, newest first. watch shows one as ${commandHere('loop')} does, pause
lets the running iteration finish first, stop ends the turn and then the loop, and rm deletes one
that has ended; its sessions stay. edit changes one that has not ended: new limits apply at once, a
new task from the next iteration on. The start of an id is enough.

  --json             print all details as JSON
  edit takes these options of ${commandHere('loop')}: --max-iterations, --until-text,
  --until-command, --until-seconds, --budget-usd, --prompt-file, --pause-on-failure, --title and
  --yes; and removes a setting with --no-until-text, --no-until-command, --no-budget-usd,
  --no-pause-on-failure and --no-yes
${HUB_HELP}
  -h, --help         this text
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  ...CHANGE_OPTIONS,
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const OTHER_WORDS: readonly string[] = ['watch', 'edit', 'rm'];

const ACTS: Record<string, LoopAct> = { pause: 'pause', resume: 'resume', stop: 'stop' };

const SHAPE = {
  columns: ['ID', 'STATE', 'ITERATION', 'COST', 'TASK', 'CHANGED'],
  leftOut: ['COST', 'CHANGED'],
  cut: { column: 'TASK', least: 16, most: 50 },
} as const;

/** No loop, or more than one, is meant by what was said. */
export class LoopUnclearError extends SignalboxError {
  constructor(problem: string) {
    super('LOOP_UNCLEAR', `${problem} ${commandHere('loops')} lists them.`);
  }
}

/** Run `signalbox loops …`. */
export async function runLoops(argv: readonly string[], endOfWork: () => AbortSignal): Promise<number> {
  const { values: options, positionals } = readCommand('loops', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [word, start, ...rest] = positionals;
  const isKnown = word !== undefined && (OTHER_WORDS.includes(word) || word in ACTS);
  const isTooMuch = rest.length > 0 && word !== 'edit';
  if (word !== undefined && (!isKnown || start === undefined || isTooMuch))
    throw new CommandOptionsError(
      'loops',
      'Say watch, pause, resume, edit, stop or rm, and the id of one loop.',
    );
  const strange = word === 'edit' ? undefined : changeOptionIn(options);
  if (strange !== undefined) throw new CommandOptionsError('loops', `--${strange} is for loops edit.`);
  const change = word === 'edit' ? loopChange(options, rest.join(' ').trim()) : undefined;
  const hub = await findHub(options);
  const api = new HubApi(addressOf(hub));
  const loops = await everyItem((page) => api.loops(page));
  if (word === undefined) {
    if (options.json) process.stdout.write(`${JSON.stringify(loops, undefined, 2)}\n`);
    else
      process.stdout.write(
        `${loops.length === 0 ? `No loops. ${commandHere('loop "…"')} begins one.` : tableOf(loops)}\n`,
      );
    return 0;
  }
  const loop = pickById(loops, start ?? '', 'loop', LoopUnclearError);
  if (word === 'watch') {
    const { followLoop } = await import('./loop/follow-loop.ts');
    return followLoop(hub, loop, { json: options.json }, endOfWork());
  }
  const act = ACTS[word];
  if (act || change) {
    const now = await (act ? api.actOnLoop(loop.id, act) : api.editLoop(loop.id, change ?? {}));
    process.stdout.write(
      options.json
        ? `${JSON.stringify(now)}\n`
        : `${shortId(now.id)}: ${stateWords(now)}, ${now.iteration}/${now.spec.maxIterations}\n`,
    );
  } else {
    await api.removeLoop(loop.id);
    process.stdout.write(`forgot ${shortId(loop.id)}\n`);
  }
  return 0;
}

function tableOf(loops: readonly Loop[]): string {
  const now = Date.now();
  const rows = loops.map((loop) => ({
    ID: shortId(loop.id),
    STATE: stateWords(loop),
    ITERATION: inOneLine(`${loop.iteration}/${loop.spec.maxIterations}`),
    COST: loop.costUsd > 0 ? `$${loop.costUsd.toFixed(2)}` : '',
    TASK: inOneLine(loop.spec.title),
    CHANGED: ageWords(now - loop.updatedAt),
  }));
  return fittedTable(SHAPE, rows, roomOf(process.stdout));
}

function stateWords({ state, end }: Loop): string {
  return inOneLine(state === 'ended' && end !== null ? end : LOOP_STATE_WORDS[state]);
}
