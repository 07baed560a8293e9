import type { HookEvent, JsonObject, OutboundAgentMessage } from '@signalbox/protocol';
import { onTestFinished } from 'vitest';
import type { AskHost } from '../../src/hooks/callback-hook.ts';
import { HookRunner, type HookRunOptions } from '../../src/hooks/hook-runner.ts';
import { openBench, type ToolBench } from '../tools/tool-bench.ts';

/** A hook runner without an agent around it, in a folder of its own. */
export interface HookBench extends ToolBench {
  runner: HookRunner;
  problems: string[];
  /** What a host was told. */
  messages: OutboundAgentMessage[];
  /** Register commands for an event, as a settings file does. */
  commands: (event: HookEvent, ...commands: (string | JsonObject)[]) => void;
  fire: (
    event: HookEvent,
    details?: JsonObject,
    options?: Partial<HookRunOptions>,
  ) => ReturnType<HookRunner['run']>;
}

export const SETTINGS = '.claude/settings.json';

export const BASH_CALL = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' };

/** A host that has no functions. */
export const nobody: AskHost = () => Promise.reject(new Error('there is no host'));

/** It is closed after the test. */
export async function openHookBench(
  parts: { includeEvents?: boolean; askHost?: AskHost } = {},
): Promise<HookBench> {
  const bench = await openBench();
  const problems: string[] = [];
  const messages: OutboundAgentMessage[] = [];
  const runner = new HookRunner({
    projectDir: bench.folder,
    env: bench.session.env,
    base: () => ({
      session_id: bench.session.id,
      transcript_path: bench.path('transcript.jsonl'),
      cwd: bench.session.cwd,
      permission_mode: bench.session.mode,
    }),
    emit: async (message) => {
      messages.push(message);
    },
    askHost: parts.askHost ?? nobody,
    includeEvents: parts.includeEvents ?? false,
    onProblem: (text) => problems.push(text),
  });
  onTestFinished(() => runner.close());
  return {
    ...bench,
    runner,
    problems,
    messages,
    commands: (event, ...commands) =>
      runner.addCommands(SETTINGS, {
        [event]: [
          {
            hooks: commands.map((hook) =>
              typeof hook === 'string' ? { type: 'command', command: hook } : { type: 'command', ...hook },
            ),
          },
        ],
      }),
    fire: (event, details = {}, options = {}) =>
      runner.run(event, details, { signal: new AbortController().signal, ...options }),
  };
}

/** A command that prints an answer. */
export function printing(answer: unknown): string {
  return `echo '${JSON.stringify(answer)}'`;
}
