import * as z from 'zod/mini';
import { defineTool } from './tool.ts';

export const exitPlanModeTool = defineTool({
  name: 'ExitPlanMode',
  description:
    'Present the plan to the user and ask to begin. Only in plan mode, and only when the task is to change something. Say in `plan`, in Markdown, what you will do and how you will check it.',
  input: z.looseObject({ plan: z.optional(z.string()) }),
  isReadOnly: true,
  needsPerson: true,
  run({ plan }, { session }) {
    // Whoever approved the plan may have chosen a mode with it.
    if (session.mode === 'plan') session.setMode(session.modeBeforePlan ?? 'default');
    delete session.modeBeforePlan;
    const approved = plan === undefined ? '' : `\n\nThe approved plan:\n${plan}`;
    return Promise.resolve({
      content: `The user has approved your plan. Plan mode is off: begin.${approved}`,
      structured: { plan: plan ?? null, isAgent: false },
    });
  },
});
