import * as z from 'zod/mini';
import { defineTool } from './tool.ts';

export const enterPlanModeTool = defineTool({
  name: 'EnterPlanMode',
  description:
    'Change to plan mode, in which nothing is changed: look around, weigh the ways, then present a plan with ExitPlanMode. For work that is large, unclear or hard to take back; not for small fixes or questions.',
  input: z.object({}),
  isReadOnly: true,
  run(_input, { session }) {
    if (session.mode !== 'plan') {
      session.modeBeforePlan = session.mode;
      session.setMode('plan');
    }
    const message = 'Plan mode is on: nothing may be changed.';
    return Promise.resolve({
      content: `${message} Explore, ask what only the user can decide, and present your plan with ExitPlanMode.`,
      structured: { message },
    });
  },
});
