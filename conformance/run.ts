// npm run conformance [-- words …] [--only ours|2.1.37|2.1.325|newest] [--newest] [--write]: plays every scenario whose
// name has all the words with every program, prints the table, and with --write puts it into docs/CONFORMANCE.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Outcome, play } from './play.ts';
import { ours, type Program } from './program.ts';
import { publicPrograms } from './public-programs/stories.ts';
import { referencePrograms, referenceSdks } from './references.ts';
import { countOf, markdownTable, type Row, shortfalls, terminalTable } from './report.ts';
import type { Part, Scenario } from './scenario.ts';
import { aboutSession } from './scenarios/about-session.ts';
import { builtInCommands } from './scenarios/built-in-commands.ts';
import { commandLine } from './scenarios/command-line.ts';
import { control } from './scenarios/control.ts';
import { files } from './scenarios/files.ts';
import { hub } from './scenarios/hub.ts';
import { interrupts } from './scenarios/interrupts.ts';
import { limits } from './scenarios/limits.ts';
import { loop } from './scenarios/loop.ts';
import { mcp } from './scenarios/mcp.ts';
import { mcpControl } from './scenarios/mcp-control.ts';
import { mcpServe } from './scenarios/mcp-serve.ts';
import { modes } from './scenarios/modes.ts';
import { permissions } from './scenarios/permissions.ts';
import { planning } from './scenarios/planning.ts';
import { projectFiles } from './scenarios/project-files.ts';
import { relay } from './scenarios/relay.ts';
import { sdkExtensions } from './scenarios/sdk-extensions.ts';
import { sdks } from './scenarios/sdks.ts';
import { sessions } from './scenarios/sessions.ts';
import { settings } from './scenarios/settings.ts';
import { shell } from './scenarios/shell.ts';
import { shellHooks } from './scenarios/shell-hooks.ts';
import { shellLineScenarios } from './scenarios/shell-lines.ts';
import { spares } from './scenarios/spares.ts';
import { subAgents } from './scenarios/sub-agents.ts';
import { subcommands } from './scenarios/subcommands.ts';
import { toolHooks } from './scenarios/tool-hooks.ts';
import { transports } from './scenarios/transports.ts';
import { turnHooks } from './scenarios/turn-hooks.ts';
import { views } from './scenarios/views.ts';
import { webAndNotebooks } from './scenarios/web-and-notebooks.ts';
import { wireFields } from './scenarios/wire-fields.ts';

const AT_ONCE = 2;
const SEEN_CHARS = 200;
const DOCUMENT = new URL('../docs/CONFORMANCE.md', import.meta.url);
const MARK = '<!-- played -->';

const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    newest: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const startedAt = Date.now();
const wanted = ({ id }: Program): boolean => flags.only.length === 0 || flags.only.includes(id);
const references = await referencePrograms(flags.newest);
const programs = [ours, ...references].filter(wanted);
if (programs.length === 0) {
  process.stderr.write(`There is no program ${flags.only.join(', ')}.\n`);
  process.exit(2);
}
const officialSdks = await referenceSdks(flags.newest);
const parts: readonly Part[] = [
  commandLine,
  subcommands,
  loop,
  interrupts,
  limits,
  shell,
  files,
  webAndNotebooks,
  planning,
  permissions,
  shellLineScenarios,
  modes,
  sessions(references),
  control,
  aboutSession,
  spares,
  toolHooks,
  turnHooks,
  shellHooks,
  mcp,
  mcpControl,
  mcpServe,
  subAgents,
  projectFiles,
  builtInCommands,
  settings,
  transports,
  hub,
  views,
  relay,
  sdks(officialSdks),
  sdkExtensions(officialSdks),
  wireFields(references),
  publicPrograms(references),
];

const rows = await playAll();
if (rows.length === 0) {
  process.stderr.write(`No scenario has the words ${words.join(', ')}; capital letters count.\n`);
  process.exit(2);
}
process.stdout.write(`${terminalTable(rows, programs)}\n\n${shortfalls(rows, programs).join('\n')}\n\n`);
const seconds = Math.round((Date.now() - startedAt) / 1000);
const counts = programs.map((program, i) => ({ program, ...countOf(rows, i) }));
for (const { program, passed, failed } of counts) {
  if (program !== ours) process.stdout.write(`${program.label}: ${passed} passed, ${failed} failed\n`);
}
process.stdout.write(`${rows.length} scenarios in ${seconds} s\n`);
const our = counts.find(({ program }) => program === ours);
if (our) process.stdout.write(`${our.passed} passed, ${our.failed} failed\n`);
if (flags.write) document();
process.exit(our && our.failed > 0 ? 1 : 0);

async function playAll(): Promise<Row[]> {
  const chosen = parts.flatMap(({ title, scenarios }) =>
    scenarios
      .filter(({ name }) => words.every((word) => `${title} ${name}`.includes(word)))
      .map((scenario) => ({ part: title, scenario, outcomes: new Array<Outcome>() })),
  );
  const tasks = chosen.flatMap(({ scenario, outcomes }) =>
    programs.map((program, i) => ({
      scenario,
      program,
      take: (outcome: Outcome) => (outcomes[i] = outcome),
    })),
  );
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let task = tasks.shift(); task; task = tasks.shift()) {
      const outcome = await play(task.scenario, task.program);
      task.take(outcome);
      progress(task.scenario, task.program, outcome);
    }
  });
  await Promise.all(workers);
  return chosen.map(({ part, scenario, outcomes }) => ({ part, scenario: scenario.name, outcomes }));
}

/** A known miss is told with what was seen: figures that the table foretells may have changed. */
function progress({ name }: Scenario, { label }: Program, outcome: Outcome): void {
  if (outcome.verdict === 'failed') process.stderr.write(`failed  ${label}  ${name}\n`);
  if (outcome.verdict === 'missed')
    process.stderr.write(`missed  ${label}  ${name}: ${outcome.seen.slice(0, SEEN_CHARS)}\n`);
}

function document(): void {
  const [head = ''] = readFileSync(DOCUMENT, 'utf8').split(MARK);
  const missing = shortfalls(rows, programs).map((line) => `- ${line}`);
  const text = [
    MARK,
    '',
    markdownTable(rows, programs, parts),
    '',
    '## What is missing where',
    '',
    ...missing,
    '',
  ];
  writeFileSync(DOCUMENT, `${head}${text.join('\n')}`);
}
