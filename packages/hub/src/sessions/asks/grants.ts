import {
  isJsonObject,
  type JsonObject,
  judgeCall,
  listAt,
  objectAt,
  type PermissionRule,
  type RuleSets,
  suggestionsIn,
  suggestionWords,
  textAt,
} from '@signalbox/protocol';
import { callIn } from '../../policy/asked-call.ts';

/** Where a path really leads only the agent knows: a link may lead out of the folder that a rule names. */
const HAS_PATH = ['file_path', 'notebook_path', 'path', 'pattern'];

/** The home folder of an agent is not known here: nothing that depends on it is covered. */
const NOWHERE = '/\u0000';

/**
 * What was granted for one request, and which others it settles as well: those for which the agent itself offers nothing
 * else, and calls that the granted rules cover. A call that its agent would ask about all the same has no offers, and is
 * left alone. What is granted is read once, however many requests are compared with it: there may be thousands of both.
 */
export class Grants {
  readonly #granted: ReadonlySet<string>;
  readonly #rules: RuleSets;
  readonly #folder: string | null;

  constructor(granted: readonly JsonObject[], folder: string | null) {
    this.#granted = new Set(granted.map(keyOf));
    this.#rules = { allow: granted.filter(allowsByRule).flatMap(rulesIn), deny: [], ask: [] };
    this.#folder = folder;
  }

  /** What settles a request, in words; undefined when nothing does. */
  settling(request: JsonObject): string | undefined {
    const offers = suggestionsIn(request);
    if (offers.length === 0 || !callIn(request)) return undefined;
    const isGranted = offers.every((offer) => this.#granted.has(keyOf(offer)));
    return isGranted ? suggestionWords(offers) : this.#ruleFor(request, offers);
  }

  /** The granted rule that covers a call, in words; undefined when none does, or when it takes more than rules. */
  #ruleFor(request: JsonObject, offers: readonly JsonObject[]): string | undefined {
    const input = objectAt(request, 'input');
    if (this.#folder === null || !offers.every(allowsByRule)) return undefined;
    if (HAS_PATH.some((field) => field in input)) return undefined;
    const call = { toolName: textAt(request, 'tool_name'), input };
    const { behavior, reason } = judgeCall(call, this.#rules, { cwd: this.#folder, home: NOWHERE });
    return behavior === 'allow' ? reason : undefined;
  }
}

/** The same for the same grant, whatever the order of its keys; for how long it was granted makes no difference now. */
function keyOf(grant: JsonObject): string {
  return JSON.stringify({ ...grant, destination: '' }, (_name, value: unknown) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).toSorted(byName)) : value,
  );
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

function allowsByRule({ type, behavior }: JsonObject): boolean {
  return type === 'addRules' && behavior === 'allow';
}

function rulesIn(update: JsonObject): PermissionRule[] {
  return listAt(update, 'rules').map((rule) => {
    const toolName = textAt(rule, 'toolName');
    const ruleContent = textAt(rule, 'ruleContent');
    return ruleContent === '' ? { toolName } : { toolName, ruleContent };
  });
}
