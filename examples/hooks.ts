// Watches every tool call, and keeps the agent away from one file.
// Run it: npx tsx examples/hooks.ts
import { type HookCallback, prettyPrint, query } from 'signalbox';
import { openStage } from './stage.ts';

await using stage = await openStage({
  name: 'hooks',
  turns: [
    {
      when: { user: 'notes' },
      say: [{ tool: 'Write', input: { file_path: '{{cwd}}/notes.md', content: 'Hi' } }],
    },
    { when: { tool_result: { is_error: true } }, say: ['The keys stay where they are.'] },
    {
      when: { tool_result: {} },
      say: [{ tool: 'Write', input: { file_path: '{{cwd}}/.env', content: 'KEY=1' } }],
    },
  ],
});

const guard: HookCallback = async (input) => {
  if (input.hook_event_name !== 'PreToolUse' || !JSON.stringify(input.tool_input).includes('.env')) return {};
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Nobody writes to .env.',
    },
  };
};

const log: HookCallback = async (input) => {
  if (input.hook_event_name === 'PostToolUse') console.log(`  (logged: ${input.tool_name})`);
  return {};
};

const messages = query({
  prompt: 'Write some notes.',
  options: {
    ...stage.options,
    permissionMode: 'acceptEdits',
    hooks: { PreToolUse: [{ matcher: 'Write|Edit', hooks: [guard] }], PostToolUse: [{ hooks: [log] }] },
  },
});

for await (const message of messages) prettyPrint(message);
