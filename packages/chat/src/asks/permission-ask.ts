import {
  type CanUseToolRequest,
  type JsonObject,
  type PermissionUpdate,
  spelledOut,
  suggestionWords,
} from '@signalbox/protocol';
import { toolTitle } from '../cards/tool-title.ts';
import { bold, colored } from '../text/line.ts';
import { wrapLine } from '../text/wrap-line.ts';
import { type Ask, refused } from './ask.ts';
import { type AnswerOption, ChoiceAsk } from './choice-ask.ts';
import { requestPreview } from './request-preview.ts';

/** Whether a tool may be used: yes, always, or no with a reason. */
export function permissionAsk(request: CanUseToolRequest, cwd: string): Ask {
  return new ChoiceAsk({
    head: (width) =>
      wrapLine([colored('? ', 'yellow'), bold(`Allow ${toolTitle(request.tool_name)}?`)], width),
    body: (width) => requestPreview(request, width, cwd),
    question: 'Do you want to proceed?',
    options: optionsFor(request),
  });
}

function optionsFor({ input, permission_suggestions: suggestions }: CanUseToolRequest): AnswerOption[] {
  const allow: AnswerOption = {
    label: 'Yes',
    answer: { result: { behavior: 'allow', updatedInput: input } },
  };
  const deny: AnswerOption = { label: 'No, and say why', question: 'Why not?', toAnswer: refused };
  return [allow, ...alwaysOptions(input, suggestions ?? []), deny];
}

/** Each thing that may be kept by itself, so that nothing comes along with another; and all of them. */
function alwaysOptions(input: JsonObject, suggestions: readonly PermissionUpdate[]): AnswerOption[] {
  const always = (kept: readonly PermissionUpdate[], detail: string): AnswerOption => ({
    label: 'Always:',
    detail,
    answer: { result: { behavior: 'allow', updatedInput: input, updatedPermissions: [...kept] } },
  });
  const single = suggestions.map((one) => always([one], onOneLine(suggestionWords([one]))));
  return single.length > 1 ? [...single, always(suggestions, 'all of these')] : single;
}

function onOneLine(text: string): string {
  return spelledOut(text).replaceAll('\n', ' ');
}
