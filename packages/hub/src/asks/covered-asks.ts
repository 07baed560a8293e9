import {
  type JsonObject,
  judgeCall,
  listAt,
  objectAt,
  type PermissionRule,
  sameJson,
  suggestionsIn,
  suggestionWords,
  textAt,
} from '@signalbox/protocol';
import type { PermissionRequest } from '@signalbox/protocol/hub';
import { isToolPermission } from './person-answer.ts';

/** Where a path really leads only the agent knows: a link may lead out of the folder that a rule names. */
const HAS_PATH = ['file_path', 'notebook_path', 'path', 'pattern'];

/** The home folder of an agent is not known here: nothing that depends on it is covered. */
const NOWHERE = '/\u0000';

/** A request that is settled by what was granted for another one. */
export interface CoveredAsk {
  requestId: string;
  /** What settles it, in words. */
  by: string;
}

/**
 * Which of the open requests `granted` settles as well: those for which the agent itself offers nothing else, and calls
 * that the granted rules cover. A call that its agent would ask about all the same has no offers, and is left alone.
 */
export function coveredAsks(
  granted: readonly JsonObject[],
  open: readonly PermissionRequest[],
  folder: string | null,
): CoveredAsk[] {
  return open.flatMap(({ requestId, request }) => {
    const offers = suggestionsIn(request);
    if (offers.length === 0 || !isToolPermission(request)) return [];
    const isGranted = offers.every((offer) => granted.some((update) => isSameGrant(offer, update)));
    const rule = isGranted ? suggestionWords(offers) : ruleFor(request, offers, granted, folder);
    return rule === undefined ? [] : [{ requestId, by: rule }];
  });
}

/** The granted rule that covers a call, in words; undefined when none does, or when it takes more than rules. */
function ruleFor(
  request: JsonObject,
  offers: readonly JsonObject[],
  granted: readonly JsonObject[],
  folder: string | null,
): string | undefined {
  const input = objectAt(request, 'input');
  const isByRule = offers.every(({ type, behavior }) => type === 'addRules' && behavior === 'allow');
  if (!isByRule || folder === null || HAS_PATH.some((field) => field in input)) return undefined;
  const allow = granted
    .filter(({ type, behavior }) => type === 'addRules' && behavior === 'allow')
    .flatMap((update) => listAt(update, 'rules').map(ruleOf));
  const call = { toolName: textAt(request, 'tool_name'), input };
  const judged = judgeCall(call, { allow, deny: [], ask: [] }, { cwd: folder, home: NOWHERE });
  if (judged.behavior !== 'allow') return undefined;
  return judged.reason;
}

/** For how long it was granted makes no difference now. */
function isSameGrant(offer: JsonObject, granted: JsonObject): boolean {
  return sameJson({ ...offer, destination: '' }, { ...granted, destination: '' });
}

function ruleOf(rule: unknown): PermissionRule {
  const toolName = textAt(rule, 'toolName');
  const ruleContent = textAt(rule, 'ruleContent');
  return ruleContent === '' ? { toolName } : { toolName, ruleContent };
}
