import { type CanUseToolRequest, textAt } from '@signalbox/protocol';
import { bold, colored } from '../text/line.ts';
import { markdownLines } from '../text/markdown.ts';
import type { Answer, Ask } from './ask.ts';
import { ChoiceAsk } from './choice-ask.ts';

/** Whether a plan is good enough to begin. */
export function planAsk({ input }: CanUseToolRequest): Ask {
  const plan = textAt(input, 'plan') || '(a plan without words)';
  return new ChoiceAsk({
    head: () => [[colored('? ', 'yellow'), bold('Begin with this plan?')]],
    body: (width) => markdownLines(plan, width),
    question: 'Would you like to proceed?',
    options: [
      {
        label: 'Approve',
        answer: { result: { behavior: 'allow', updatedInput: input }, mode: 'before plan' },
      },
      {
        label: 'Approve, and accept edits without asking',
        answer: {
          result: {
            behavior: 'allow',
            updatedInput: input,
            updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
          },
          mode: 'acceptEdits',
        },
      },
      {
        label: 'Keep planning, and say what to change',
        question: 'What should change?',
        toAnswer: keepPlanning,
      },
    ],
  });
}

function keepPlanning(wish: string): Answer {
  const message = wish
    ? `The user wants the plan changed before you begin: ${wish}`
    : 'The user does not approve the plan yet. Keep planning, and ask what they miss.';
  return { result: { behavior: 'deny', message } };
}
