import {
  agentWords,
  type CanUseToolRequest,
  type JsonObject,
  type PermissionUpdate,
  spelledOut,
  suggestionWords,
} from '@signalbox/protocol';
import { toolTitle } from '../cards/tool-title.ts';
import { bold, colored, dim, type Line } from '../text/line.ts';
import { hang, wrapLine } from '../text/wrap-line.ts';
import { type Ask, refused } from './ask.ts';
import { callPreview } from './call-preview.ts';
import { type AnswerOption, ChoiceAsk } from './choice-ask.ts';

/** Whether a tool may be used: yes, always, or no with a reason. */
export function permissionAsk(request: CanUseToolRequest, cwd: string): Ask {
  return new ChoiceAsk({
    head: (width) => headLines(request, width),
    body: (width) => callPreview(request.tool_name, request.input, width, cwd),
    options: optionsFor(request),
  });
}

function optionsFor({ input, permission_suggestions: suggestions }: CanUseToolRequest): AnswerOption[] {
  const allow: AnswerOption = {
    label: 'Allow',
    answer: { result: { behavior: 'allow', updatedInput: input } },
  };
  const deny: AnswerOption = { label: 'Deny, and say why', question: 'Why not?', toAnswer: refused };
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

function headLines(request: CanUseToolRequest, width: number): Line[] {
  const facts = [
    ['it says', agentWords(request)],
    ['where', request.blocked_path],
    ['why', request.decision_reason],
    ['who', request.agent_id && `sub-agent ${request.agent_id}`],
  ];
  return [
    ...wrapLine([colored('? ', 'yellow'), bold(`Allow ${toolTitle(request.tool_name)}?`)], width),
    ...facts.flatMap(([name, text]) => {
      if (!text) return [];
      const lead = `  ${name} `.padEnd(11);
      const rows = wrapLine([dim(onOneLine(text))], Math.max(width - lead.length, 1));
      return hang([dim(lead)], rows);
    }),
  ];
}

function onOneLine(text: string): string {
  return spelledOut(text).replaceAll('\n', ' ');
}
