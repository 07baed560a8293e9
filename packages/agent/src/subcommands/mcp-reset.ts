import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { writeAtomically } from '../base/write-atomically.ts';
import { readCommandLine } from '../command-line/agent-options.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { noteForPerson, projectStates } from '../settings/project-state.ts';
import { repositoryRoot } from '../settings/repository-root.ts';
import { PROJECT_FILES } from '../settings/settings.ts';
import { readSettings } from '../settings/settings-file.ts';
import type { StartContext } from '../start/start-context.ts';
import { ScopedServers } from './mcp-scopes.ts';
import { subArguments } from './sub-arguments.ts';

/** Where answers about servers stand. */
const CHOICES = new Set(['enabledMcpjsonServers', 'disabledMcpjsonServers', 'enableAllProjectMcpServers']);

/** `mcp reset-project-choices`: forget what was answered about the servers of `.mcp.json`. Gives what is printed. */
export async function resetChoices(argv: readonly string[], context: StartContext): Promise<string> {
  subArguments(argv, {});
  await resetLocalSettings(context);
  await resetProjectState(context);
  const settings = loadSettings({ ...context, options: readCommandLine(['-p']), onProblem: () => {} });
  const names = Object.keys(new ScopedServers('project', context).all());
  const isRejected = (name: string): boolean =>
    settings.sources.some((source) => source.settings.disabledMcpjsonServers.includes(name));
  const rejected = names.filter(isRejected);
  const approved = names.filter((name) => settings.mayStartProjectServer(name));
  const why = settings.isProjectTrusted ? 'other settings, or as this folder is trusted,' : 'other settings';
  const lines = [
    'Project-scoped (.mcp.json) server approvals and rejections stored for this project have been reset.',
    ...(approved.length > 0
      ? [`${counted(approved)} still approved by ${why} and will connect automatically without prompting.`]
      : []),
    ...(rejected.length > 0
      ? [`${counted(rejected, 'remains', 'remain')} rejected by other settings and will not prompt.`]
      : []),
    ...(approved.length + rejected.length === 0
      ? ['Its servers will not connect before you trust this folder or approve them.']
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

async function resetLocalSettings({ cwd }: StartContext): Promise<void> {
  const file = join(cwd, PROJECT_FILES.local);
  if (!existsSync(file)) return;
  const settings = readSettings(file);
  const kept = withoutChoices(settings);
  if (Object.keys(kept).length === Object.keys(settings).length) return;
  await writeAtomically(realPath(file), `${JSON.stringify(kept, null, 2)}\n`);
}

async function resetProjectState(context: StartContext): Promise<void> {
  const states = projectStates(context);
  const key = repositoryRoot(context.cwd);
  const state = Object.hasOwn(states, key) ? states[key] : undefined;
  if (!isJsonObject(state)) return;
  const kept = withoutChoices(state);
  if (Object.keys(kept).length === Object.keys(state).length) return;
  await noteForPerson(context, { projects: { ...states, [key]: kept } });
}

function withoutChoices(facts: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(facts).filter(([name]) => !CHOICES.has(name)));
}

function counted(names: readonly string[], one = 'is', many = 'are'): string {
  const listed = names.join(', ');
  return names.length === 1 ? `1 server (${listed}) ${one}` : `${names.length} servers (${listed}) ${many}`;
}
