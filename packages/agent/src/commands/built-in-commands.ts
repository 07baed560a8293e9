import type { Command, CommandContext } from './command.ts';
import { contextUsage } from './context-usage.ts';

/** The commands that every session has. */
export const BUILT_IN_COMMANDS: readonly Command[] = [
  {
    kind: 'local',
    name: 'compact',
    description: 'Go on with a summary in place of the conversation',
    argumentHint: '[what the summary should keep]',
    async run(args, context) {
      await context.compact(args || undefined);
      return 'Compacted';
    },
  },
  {
    kind: 'local',
    name: 'clear',
    description: 'Forget the conversation and start anew',
    argumentHint: '',
    async run(_args, context) {
      await context.startOver();
      return '';
    },
  },
  {
    kind: 'local',
    name: 'context',
    description: 'Show what fills the context',
    argumentHint: '',
    run: async (_args, context) => contextTable(context),
  },
  {
    kind: 'local',
    name: 'cost',
    description: 'Show what the session has cost',
    argumentHint: '',
    run: async (_args, context) => costTable(context),
  },
  {
    kind: 'local',
    name: 'model',
    description: 'Show the model, or use another one',
    argumentHint: '[name]',
    async run(args, context) {
      if (args) context.setModel(args);
      const { modelName } = context.thread;
      return args ? `From now on the model is ${modelName}.` : `The model is ${modelName}.`;
    },
  },
  {
    kind: 'local',
    name: 'help',
    description: 'List the commands',
    argumentHint: '',
    run: async (_args, context) => helpList(context),
  },
  {
    kind: 'prompt',
    name: 'init',
    description: 'Write a CLAUDE.md that tells agents about this project',
    argumentHint: '[what to pay attention to]',
    expand: async (args) => (args ? `${INIT_PROMPT}\n\nThe person adds: ${args}` : INIT_PROMPT),
  },
];

const INIT_PROMPT = `Look at this project and write a CLAUDE.md at its root, for agents that will work in it later. If there is one, improve it.

Put into it what cannot be seen from a single file: how to build, test, lint and run it (and a single test), how the parts hang together, which rules the code follows. Take over what README files and the rules of other tools (.cursor/rules, .github/copilot-instructions.md, AGENTS.md) say about this. Leave out what goes without saying, lists of files, and anything you did not find in the project. Keep it short.`;

async function contextTable({ core, thread, extensions }: CommandContext): Promise<string> {
  const { categories, totalTokens, maxTokens, percentage, model } = contextUsage(core, thread, extensions);
  const rows = categories.map(
    ({ name, tokens }) => `| ${name} | ${thousands(tokens)} | ${((100 * tokens) / maxTokens).toFixed(1)}% |`,
  );
  return `## Context usage

**Model:** ${model}
**Tokens:** ${thousands(totalTokens)} of ${thousands(maxTokens)} (${percentage}%)

| Category | Tokens | Share |
|---|---|---|
${rows.join('\n')}`;
}

function costTable({ core: { accounting } }: CommandContext): string {
  const rows = Object.entries(accounting.modelUsage).map(([model, used]) =>
    [
      `| ${model}`,
      thousands(used.inputTokens),
      thousands(used.outputTokens),
      thousands(used.cacheReadInputTokens),
      thousands(used.cacheCreationInputTokens),
      `$${used.costUSD.toFixed(4)} |`,
    ].join(' | '),
  );
  const total = `**Total cost:** $${accounting.costUsd.toFixed(4)}`;
  if (rows.length === 0) return total;
  return `${total}

| Model | Input | Output | Cache read | Cache write | Cost |
|---|---|---|---|---|---|
${rows.join('\n')}`;
}

function helpList(context: CommandContext): string {
  const lines = context.commands().map(({ name, argumentHint, description }) => {
    const usage = argumentHint ? `/${name} ${argumentHint}` : `/${name}`;
    return `- \`${usage}\` ${description}`;
  });
  return `## Commands\n\n${lines.join('\n')}`;
}

function thousands(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(1)}k`;
}
