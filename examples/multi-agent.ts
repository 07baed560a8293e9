// Three agents look at one question side by side; a fourth makes one answer of theirs.
// Run it: npx tsx examples/multi-agent.ts
import { collectText, query } from 'signalbox';
import { openStage } from './stage.ts';

await using stage = await openStage({
  name: 'multi-agent',
  turns: [
    { when: { system: 'optimist' }, say: ['It will be faster.'] },
    { when: { system: 'pessimist' }, say: ['It will break on Fridays.'] },
    { when: { system: 'accountant' }, say: ['It will cost two weeks.'] },
    { when: { user: { matches: 'Views:\\n([\\s\\S]+)' } }, say: ['All in all:\n{{1}}'] },
  ],
});

function ask(prompt: string, role: string): Promise<string> {
  const systemPrompt = `You are the ${role} of the team.`;
  return collectText(query({ prompt, options: { ...stage.options, systemPrompt } }));
}

const roles = ['optimist', 'pessimist', 'accountant'];
const views = await Promise.all(
  roles.map(async (role) => `- ${role}: ${await ask('Shall we rewrite the parser?', role)}`),
);

console.log(await ask(`Make one answer of these. Views:\n${views.join('\n')}`, 'editor'));
