import type { CanUseToolRequest } from '@signalbox/protocol';
import type { Ask } from './ask.ts';
import { permissionAsk } from './permission-ask.ts';
import { planAsk } from './plan-ask.ts';
import { questionAsk } from './question-ask.ts';

/** The form that fits what an agent wants to know. */
export function openAsk(request: CanUseToolRequest, cwd: string): Ask {
  const form =
    request.tool_name === 'AskUserQuestion'
      ? questionAsk(request)
      : request.tool_name === 'ExitPlanMode'
        ? planAsk(request)
        : undefined;
  return form ?? permissionAsk(request, cwd);
}
