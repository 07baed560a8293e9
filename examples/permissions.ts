// Decides about tool calls: some by rules, the others as a person would.
// Run it: npx tsx examples/permissions.ts
import { permissionPolicy, prettyPrint, query } from 'signalbox';
import { openStage } from './stage.ts';

await using stage = await openStage({
  name: 'permissions',
  turns: [
    { when: { user: 'tidy' }, say: [{ tool: 'Bash', input: { command: 'touch report.txt' } }] },
    {
      when: { tool_result: { tool: 'Bash', is_error: true } },
      say: ['I may not delete things, so I leave it as it is.'],
    },
    { when: { tool_result: { tool: 'Bash' } }, say: [{ tool: 'Bash', input: { command: 'rm -r .' } }] },
  ],
});

const canUseTool = permissionPolicy({ cwd: stage.folder })
  .allow('Read', 'Glob', 'Grep', 'Bash(git status)')
  .deny('Bash(rm:*)')
  .otherwise(async (toolName, input) => {
    console.log(`? ${toolName} ${JSON.stringify(input)}: allowed this once`);
    return { behavior: 'allow', updatedInput: input };
  });

for await (const message of query({ prompt: 'Please tidy up.', options: { ...stage.options, canUseTool } }))
  prettyPrint(message);
