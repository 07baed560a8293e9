import { isJsonObject, isUrl } from '@signalbox/protocol';
import type {
  AgentDefinition,
  Backtest,
  Budget,
  ChangeComment,
  ChangedFile,
  CreatedSession,
  FileDiff,
  FolderChangeList,
  HubNodes,
  HubRule,
  JsonRoute,
  KnownDevice,
  LaunchableAgent,
  LeftWorktree,
  Loop,
  Notice,
  NoticeTarget,
  Page,
  Profile,
  Prompt,
  RecordOutline,
  Repository,
  RouteAnswer,
  RuleSuggestion,
  SearchPage,
  Session,
  SpendReport,
  Storage,
  SweepReport,
  Terminal,
  TurnChanges,
  Worktree,
} from '@signalbox/protocol/hub';
import type { EventWindow } from './event-window.ts';

// Something in the hub's place may answer anything, and an older hub less than this one. So of an answer those fields are looked at
// that callers go by; the schemas of all of them would be as large as the rest of what a page takes from here.

type Test = (value: unknown) => boolean;

/** Tests of some fields of a `Value`, each for what the schema of its route says that it is. */
type Fields<Value> = { [Name in keyof Value]?: Test };

const isText: Test = (value) => typeof value === 'string';
const isNumber: Test = (value) => typeof value === 'number';
const isTextOrNothing: Test = (value) => isText(value ?? '');

function has<Value>(fields: Fields<Value>): Test {
  return (value) =>
    isJsonObject(value) &&
    Object.entries<Test | undefined>(fields).every(([name, fits]) => fits?.(value[name]) ?? true);
}

function listOf(item: Test): Test {
  return (value) => Array.isArray(value) && value.every(item);
}

function pageOf(item: Test): Test {
  return has<Page<unknown>>({ items: listOf(item), next: isTextOrNothing });
}

const isSession = has<Session>({
  id: isText,
  state: isText,
  title: isTextOrNothing,
  folder: isTextOrNothing,
  agent: isTextOrNothing,
  model: isTextOrNothing,
  mode: isTextOrNothing,
});

const isDevice = has<KnownDevice>({
  id: isText,
  person: isText,
  name: isText,
  scope: isText,
  session: isTextOrNothing,
});

const isLoop = has<Loop>({
  id: isText,
  state: isText,
  version: isNumber,
  spec: isJsonObject,
  current: (value) => isJsonObject(value ?? {}),
});
const isTerminal = has<Terminal>({ number: isNumber, state: isText });

const isChangedFile = has<ChangedFile>({ path: isText, kind: isText, staged: isText });
const isWorktree = has<Worktree>({
  repository: isText,
  slug: isText,
  folder: isText,
  keeps: listOf(isText),
});
const isLeft = has<LeftWorktree>({ folder: isText, keeps: listOf(isText) });

const isRule = has<HubRule>({
  id: isText,
  rule: isText,
  behavior: isText,
  folder: isTextOrNothing,
  session: isTextOrNothing,
  author: isJsonObject,
});

const isBudget = has<Budget>({
  id: isText,
  folder: isTextOrNothing,
  session: isTextOrNothing,
  per: isText,
  state: isText,
  spent: has<Budget['spent']>({ usd: isNumber, tokens: isNumber }),
});

const isProfile = has<Profile>({ name: isText, variables: listOf(isText) });
const isStorage = has<Storage>({ fileBytes: isNumber, usedBytes: isNumber, retention: isJsonObject });
const isDefinition = has<AgentDefinition>({
  name: isText,
  title: isText,
  command: listOf(isText),
  variables: listOf(isText),
});
const isTarget = has<NoticeTarget>({ id: isText, type: isText, name: isText, address: isText });

const isHit = has<SearchPage['items'][number]>({
  session: isText,
  seq: isNumber,
  time: isNumber,
  author: isJsonObject,
  kind: isText,
  tool: isTextOrNothing,
  title: isTextOrNothing,
  excerpt: listOf(has<SearchPage['items'][number]['excerpt'][number]>({ text: isText })),
});

const isComment = has<ChangeComment>({
  id: isText,
  path: isText,
  line: isNumber,
  quote: isText,
  text: isText,
});

const SHAPES: { readonly [Key in JsonRoute]?: Test } = {
  'GET /api/me': isDevice,
  'GET /api/agents': pageOf(has<LaunchableAgent>({ name: isText })),
  'GET /api/sessions': pageOf(isSession),
  'GET /api/sessions/{session}': isSession,
  'POST /api/sessions': has<CreatedSession>({ session: isSession }),
  'GET /api/sessions/{session}/events': has<EventWindow>({
    last: isNumber,
    entries: listOf(isJsonObject),
  }),
  'POST /api/sessions/{session}/prompts': has<Prompt>({ id: isText }),
  'POST /api/sign-in-links': has<RouteAnswer<'POST /api/sign-in-links'>>({
    url: (value) => typeof value === 'string' && isUrl(value),
  }),
  'GET /api/devices': pageOf(isDevice),
  'POST /api/loops': isLoop,
  'GET /api/loops': pageOf(isLoop),
  'GET /api/loops/{loop}': isLoop,
  'PATCH /api/loops/{loop}': isLoop,
  'POST /api/loops/{loop}/pause': isLoop,
  'POST /api/loops/{loop}/resume': isLoop,
  'POST /api/loops/{loop}/stop': isLoop,
  'GET /api/sessions/{session}/terminals': pageOf(isTerminal),
  'POST /api/sessions/{session}/terminals': isTerminal,
  'DELETE /api/sessions/{session}/terminals/{terminal}': isTerminal,
  'GET /api/sessions/{session}/changes': has<FolderChangeList>({
    root: isText,
    files: listOf(isChangedFile),
  }),
  'GET /api/sessions/{session}/changes/diff': has<FileDiff>({ path: isText, hunks: listOf(isJsonObject) }),
  'POST /api/sessions/{session}/changes/discard': has<{ discard: string }>({ discard: isText }),
  'POST /api/sessions/{session}/changes/commit': has<{ commit: string }>({ commit: isText }),
  'GET /api/sessions/{session}/changes/comments': pageOf(isComment),
  'POST /api/sessions/{session}/changes/comments': isComment,
  'GET /api/sessions/{session}/changes/branches': pageOf(isText),
  'GET /api/rules': pageOf(isRule),
  'POST /api/rules': has<RouteAnswer<'POST /api/rules'>>({ rule: isRule, overrules: listOf(isRule) }),
  'DELETE /api/rules/{rule}': isRule,
  'POST /api/rules/test': has<Backtest>({
    words: isText,
    against: listOf(isJsonObject),
    calls: listOf(isJsonObject),
  }),
  'GET /api/rules/suggestions': pageOf(
    has<RuleSuggestion>({ rule: isText, behavior: isText, words: isText }),
  ),
  'GET /api/profiles': pageOf(isProfile),
  'POST /api/profiles': isProfile,
  'DELETE /api/profiles/{profile}': isProfile,
  'GET /api/agent-definitions': pageOf(isDefinition),
  'POST /api/agent-definitions': isDefinition,
  'DELETE /api/agent-definitions/{agent}': isDefinition,
  'GET /api/budgets': pageOf(isBudget),
  'POST /api/budgets': isBudget,
  'PATCH /api/budgets/{budget}': isBudget,
  'DELETE /api/budgets/{budget}': isBudget,
  'POST /api/sessions/{session}/allow-turn': isSession,
  'GET /api/spend': has<SpendReport>({
    items: listOf(
      has<SpendReport['items'][number]>({ key: isTextOrNothing, usd: isNumber, turns: isNumber }),
    ),
    total: has<SpendReport['total']>({ usd: isNumber }),
  }),
  'GET /api/notices': pageOf(
    has<Notice>({ id: isText, kind: isText, title: isText, deliveries: listOf(isJsonObject) }),
  ),
  'GET /api/notices/targets': pageOf(isTarget),
  'POST /api/notices/targets': has<RouteAnswer<'POST /api/notices/targets'>>({ target: isTarget }),
  'POST /api/notices/push': isTarget,
  'DELETE /api/notices/targets/{target}': isTarget,
  'GET /api/sessions/{session}/changes/turns': pageOf(has<TurnChanges>({ turn: isNumber, files: isNumber })),
  'GET /api/repositories': has<Repository>({ root: isText, branches: listOf(isText) }),
  'GET /api/search': pageOf(isHit),
  'GET /api/sessions/{session}/outline': pageOf(
    has<RecordOutline['items'][number]>({ seq: isNumber, time: isNumber, turns: isNumber, words: isText }),
  ),
  'GET /api/storage': isStorage,
  'GET /api/nodes': has<HubNodes>({ items: listOf(isJsonObject) }),
  'PATCH /api/storage': isStorage,
  'POST /api/storage/sweep': has<SweepReport>({
    trimmed: listOf(isJsonObject),
    forgotten: isJsonObject,
    usedBytes: isNumber,
  }),
  'GET /api/worktrees': pageOf(isWorktree),
  'POST /api/worktrees/sweep': pageOf(isLeft),
  'DELETE /api/worktrees/{repository}/{slug}': isLeft,
};

/** Whether an answer has what callers of its route go by. */
export function isAnswerOf(key: JsonRoute, answer: unknown): boolean {
  return SHAPES[key]?.(answer) ?? true;
}
