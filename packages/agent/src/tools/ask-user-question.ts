import * as z from 'zod/mini';
import { ToolFailure } from '../base/tool-failure.ts';
import { defineTool } from './tool.ts';

const question = z.object({
  question: z.string(),
  header: z.string(),
  options: z
    .array(z.object({ label: z.string(), description: z.string(), preview: z.optional(z.string()) }))
    .check(z.minLength(2), z.maxLength(4)),
  multiSelect: z.optional(z.boolean()),
});

const questions = z.array(question).check(z.minLength(1), z.maxLength(4));

/** By the text of the question. */
const answers = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** What a person adds to an answer, by the text of the question. */
const annotations = z.record(
  z.string(),
  z.object({ preview: z.optional(z.string()), notes: z.optional(z.string()) }),
);

export const askUserQuestionTool = defineTool({
  name: 'AskUserQuestion',
  description: [
    'Ask the user to choose, where the task leaves open something that only they can decide.',
    '- One to four questions, each with two to four options. The user can always answer in their own words: offer no "Other".',
    '- Put the option you recommend first and say so in its label. Set `multiSelect` where several may hold.',
    '- Do not ask whether to go on, or whether a plan is good: that is what ExitPlanMode is for.',
  ].join('\n'),
  input: z.object({ questions, answers: z.optional(answers), annotations: z.optional(annotations) }),
  // A model that knew about the answers might give them itself.
  modelInput: z.object({ questions }),
  isReadOnly: true,
  needsPerson: true,
  run({ questions: asked, answers: given = {}, annotations: added = {} }) {
    const answered = Object.fromEntries(
      Object.entries(given).map(([text, answer]) => [text, [answer].flat().join(', ')]),
    );
    const texts = Object.entries(answered).map(
      ([text, answer]) => `"${text}"="${answer}"${additions(added[text])}`,
    );
    if (texts.length === 0) {
      throw new ToolFailure(
        'The user gave no answer. Decide yourself where you safely can, or ask in your reply.',
      );
    }
    return Promise.resolve({
      content: `User has answered your questions: ${texts.join(', ')}. Go on with these answers in mind.`,
      structured: {
        questions: asked.map((one) => ({ multiSelect: false, ...one })),
        answers: answered,
        ...(Object.keys(added).length > 0 ? { annotations: added } : {}),
      },
    });
  },
});

function additions({
  preview,
  notes,
}: {
  preview?: string | undefined;
  notes?: string | undefined;
} = {}): string {
  return [preview ? ` selected preview:\n${preview}` : '', notes ? ` notes: ${notes}` : ''].join('');
}
