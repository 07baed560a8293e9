import type {
  AgentDefinition,
  AgentDefinitionChange,
  AuditEntry,
  Backtest,
  Budget,
  BudgetChange,
  ChangeBase,
  ChangeComment,
  CreatedSession,
  FileDiff,
  FolderChangeList,
  FolderListing,
  FolderTrust,
  FoundFiles,
  HubRule,
  KnownDevice,
  LaunchableAgents,
  LeftWorktree,
  Loop,
  LoopChange,
  NearbyRelay,
  NewBudget,
  NewLoop,
  NewNoticeTarget,
  NewPushSubscription,
  NewRule,
  NewSession,
  Notice,
  NoticeTarget,
  Page,
  PageRequest,
  PermissionRequest,
  PersonAnswer,
  Profile,
  ProfileChange,
  Prompt,
  PromptContent,
  PromptDelivery,
  Repository,
  RouteAnswer,
  RouteRequest,
  RuleSuggestion,
  SavedPrompt,
  Session,
  SessionState,
  SetupOutput,
  SpendReport,
  StoredConversation,
  Terminal,
  TerminalSize,
  TurnChanges,
  Worktree,
} from '@signalbox/protocol/hub';
import type { LoopAct, LoopIteration, LoopState } from '@signalbox/protocol/loop';
import type { EventWindow } from './event-window.ts';
import { HubRequests } from './hub-requests.ts';

/** Which part of a list is wanted. */
export type PageQuery = PageRequest;

/** What the files of a session's folder are compared with. */
export interface ComparedWith {
  base?: ChangeBase;
  /** For the bases `branch` and `merge-base`. */
  branch?: string;
  /** For the base `turn`: the entry of the record with which it ended. */
  turn?: number;
}

/** Whose token it is, and what it is good for. */
export type HubDevice = Pick<KnownDevice, 'id' | 'person' | 'name' | 'scope' | 'session'>;

/** A hub's REST interface: a method for each of the most common requests. `ask` reaches every route. */
export class HubApi extends HubRequests {
  // Who asks, and the devices of people.

  me(): Promise<HubDevice> {
    return this.ask('GET /api/me');
  }

  /** Revoke the token that is used here. */
  signOut(): Promise<unknown> {
    return this.ask('POST /api/sign-out');
  }

  /** People's devices, including those that were signed out. */
  devices(query: PageQuery = {}): Promise<Page<KnownDevice>> {
    return this.ask('GET /api/devices', { query: { ...query, kind: 'person' } });
  }

  /** A link that signs in another device, once. */
  createSignInLink(
    grant: Partial<Pick<HubDevice, 'person' | 'name' | 'scope'>> = {},
  ): Promise<{ url: string }> {
    return this.ask('POST /api/sign-in-links', { body: grant });
  }

  /** Sign a device out for good. */
  revokeDevice(id: string): Promise<KnownDevice> {
    return this.ask('DELETE /api/devices/{device}', { params: { device: id } });
  }

  /** The audit log: who decided what, newest first. */
  audit(query: PageQuery & { session?: string } = {}): Promise<Page<AuditEntry>> {
    return this.ask('GET /api/audit', { query });
  }

  // Sessions and their agents.

  agents(): Promise<LaunchableAgents> {
    return this.ask('GET /api/agents');
  }

  /** Newest first. */
  sessions(query: PageQuery & { state?: SessionState } = {}): Promise<Page<Session>> {
    return this.ask('GET /api/sessions', { query });
  }

  session(id: string): Promise<Session> {
    return this.ask('GET /api/sessions/{session}', { params: { session: id } });
  }

  /** With `launch` the hub starts an agent; without it, an agent may dial in with the token that comes back. */
  createSession(session: NewSession): Promise<CreatedSession> {
    return this.ask('POST /api/sessions', { body: session });
  }

  /** Give the session another title. */
  rename(id: string, title: string): Promise<Session> {
    return this.ask('PATCH /api/sessions/{session}', { params: { session: id }, body: { title } });
  }

  /** Archive the session, or bring it back. It comes back by itself when its agent works or asks, or somebody prompts it. */
  archive(id: string, isArchived = true): Promise<Session> {
    return this.ask('PATCH /api/sessions/{session}', { params: { session: id }, body: { isArchived } });
  }

  /** End the session's agent. */
  stop(id: string): Promise<unknown> {
    return this.ask('POST /api/sessions/{session}/stop', { params: { session: id } });
  }

  /** Start the session's agent again, where its conversation ended. */
  restart(id: string): Promise<unknown> {
    return this.ask('POST /api/sessions/{session}/restart', { params: { session: id } });
  }

  /**
   * A new session with a copy of the conversation: of all of it, of what was said before a prompt, or of what was said up to a reply
   * and with it, each given by the number of its entry. The original stays as it is.
   */
  fork(id: string, options: { before?: number; after?: number; title?: string } = {}): Promise<Session> {
    return this.ask('POST /api/sessions/{session}/fork', { params: { session: id }, body: options });
  }

  /** Delete the session and its record; refused while its agent is connected. Tells what happened to its worktree. */
  remove(id: string): Promise<RouteAnswer<'DELETE /api/sessions/{session}'>> {
    return this.ask('DELETE /api/sessions/{session}', { params: { session: id } });
  }

  /**
   * Move the conversation into a terminal, on the agent's own screen, or back. While a turn runs, the answer says that the move is
   * on its way (`to-…`).
   */
  changeView(
    session: string,
    view: 'sdk' | 'terminal',
    options: Partial<TerminalSize> & { now?: boolean } = {},
  ): Promise<Session> {
    const body = { ...options, view };
    return this.ask('POST /api/sessions/{session}/view', { params: { session }, body });
  }

  /** Conversations that agents left on the hub's machine, the newest first: all, or those of a folder's repository. */
  conversations(query: { folder?: string; limit?: number } = {}): Promise<{ items: StoredConversation[] }> {
    return this.ask('GET /api/conversations', { query });
  }

  // The record.

  /** The end of the record, or entries from a number on, or entries before a number. */
  events(id: string, query: { from?: number; before?: number; limit?: number } = {}): Promise<EventWindow> {
    return this.ask('GET /api/sessions/{session}/events', { params: { session: id }, query });
  }

  /** The same as text, with each line exactly as it was written. */
  eventsText(id: string, query: { from?: number; before?: number; limit?: number } = {}): Promise<string> {
    return this.askText('GET /api/sessions/{session}/events', { params: { session: id }, query });
  }

  // Prompts.

  /** Settles once the prompt is stored. Sent again with the same client id, it is taken once. */
  prompt(
    id: string,
    prompt: { clientId: string; content: PromptContent; delivery?: PromptDelivery },
  ): Promise<Prompt> {
    return this.ask('POST /api/sessions/{session}/prompts', { params: { session: id }, body: prompt });
  }

  /** Prompts that have not arrived at the agent, in their order. */
  async waitingPrompts(id: string): Promise<Prompt[]> {
    return (await this.ask('GET /api/sessions/{session}/prompts', { params: { session: id } })).items;
  }

  /** `before` moves it ahead of that waiting prompt; null moves it to the end. */
  editPrompt(
    id: string,
    prompt: string,
    change: { content?: PromptContent; delivery?: PromptDelivery; before?: string | null },
  ): Promise<Prompt> {
    return this.ask('PATCH /api/sessions/{session}/prompts/{prompt}', {
      params: { session: id, prompt },
      body: change,
    });
  }

  cancelPrompt(id: string, prompt: string): Promise<Prompt> {
    return this.ask('DELETE /api/sessions/{session}/prompts/{prompt}', { params: { session: id, prompt } });
  }

  /** Saved prompts, by name. */
  async savedPrompts(): Promise<SavedPrompt[]> {
    return (await this.ask('GET /api/saved-prompts')).items;
  }

  /** Save a prompt under a name, in place of the one that had it. */
  savePrompt(name: string, text: string): Promise<SavedPrompt> {
    return this.ask('POST /api/saved-prompts', { body: { name, text } });
  }

  async removeSavedPrompt(name: string): Promise<void> {
    await this.ask('DELETE /api/saved-prompts', { query: { name } });
  }

  // What agents ask, and the rules that answer it.

  /** What agents ask and nobody has answered, oldest first. */
  permissions(query: PageQuery & { session?: string } = {}): Promise<Page<PermissionRequest>> {
    return this.ask('GET /api/permissions', { query });
  }

  /** The first answer wins; later ones get it back. */
  answer(
    id: string,
    request: string,
    answer: PersonAnswer,
  ): Promise<{ permission: PermissionRequest; isFirst: boolean }> {
    return this.ask('POST /api/sessions/{session}/permissions/{request}/answer', {
      params: { session: id, request },
      body: answer,
    });
  }

  /** The rules that decide before people are asked, oldest first; with a session, those that apply to it. */
  rules(query: PageQuery & { session?: string } = {}): Promise<Page<HubRule>> {
    return this.ask('GET /api/rules', { query });
  }

  /** Add a rule; says which others have no effect any more. */
  addRule(rule: NewRule): Promise<RouteAnswer<'POST /api/rules'>> {
    return this.ask('POST /api/rules', { body: rule });
  }

  /** Remove a rule. */
  removeRule(id: string): Promise<HubRule> {
    return this.ask('DELETE /api/rules/{rule}', { params: { rule: id } });
  }

  /** What a rule would have done to everything that agents have asked so far. */
  testRule(rule: NewRule): Promise<Backtest> {
    return this.ask('POST /api/rules/test', { body: rule });
  }

  /** Rules that follow from what people have answered; for an open request, the rule that would answer it. */
  async suggestRules(asked?: { session: string; request: string }): Promise<RuleSuggestion[]> {
    return (await this.ask('GET /api/rules/suggestions', { query: { ...asked } })).items;
  }

  // Loops.

  /** Run an agent again and again until a condition is met. */
  createLoop(loop: NewLoop): Promise<Loop> {
    return this.ask('POST /api/loops', { body: loop });
  }

  /** Newest first. */
  loops(query: PageQuery & { state?: LoopState } = {}): Promise<Page<Loop>> {
    return this.ask('GET /api/loops', { query });
  }

  loop(id: string): Promise<Loop> {
    return this.ask('GET /api/loops/{loop}', { params: { loop: id } });
  }

  /** What the iterations of a loop did, newest first. */
  loopIterations(id: string, query: PageQuery = {}): Promise<Page<LoopIteration>> {
    return this.ask('GET /api/loops/{loop}/iterations', { params: { loop: id }, query });
  }

  /** With a `version`, refused if somebody else has changed the loop since. */
  editLoop(id: string, change: LoopChange): Promise<Loop> {
    return this.ask('PATCH /api/loops/{loop}', { params: { loop: id }, body: change });
  }

  /** Pause a loop after its iteration, resume it, or stop it with the turn that runs. */
  actOnLoop(id: string, act: LoopAct): Promise<Loop> {
    return this.ask(`POST /api/loops/{loop}/${act}`, { params: { loop: id } });
  }

  /** Forget a loop that has ended; its sessions stay. */
  removeLoop(id: string): Promise<unknown> {
    return this.ask('DELETE /api/loops/{loop}', { params: { loop: id } });
  }

  // Folders of the hub's machine, and who trusts them.

  /** The folders in a folder of the hub's machine, by its whole path or from `~`. */
  folders(folder = '~'): Promise<FolderListing> {
    return this.ask('GET /api/folders', { query: { folder } });
  }

  /** Files of a session's folder by a part of their path, the best match first. */
  files(id: string, query = ''): Promise<FoundFiles> {
    return this.ask('GET /api/sessions/{session}/files', { params: { session: id }, query: { query } });
  }

  /** The repository that a folder of the hub's machine is in. */
  repository(folder: string): Promise<Repository> {
    return this.ask('GET /api/repositories', { query: { folder } });
  }

  /** Whether the person of the hub's machine trusts a folder of it. */
  async lookAtFolder(folder: string): Promise<FolderTrust | undefined> {
    return (await this.ask('GET /api/trusted-folders', { query: { folder } })).asked;
  }

  /** Trust the settings in a folder, from the next start of an agent there. */
  trustFolder(folder: string): Promise<FolderTrust> {
    return this.ask('POST /api/trusted-folders', { body: { folder } });
  }

  /** Whether the folder of a session is trusted; null where the hub does not know. */
  async trustOf(session: string): Promise<FolderTrust | null> {
    return (await this.ask('GET /api/sessions/{session}/trust', { params: { session } })).trust;
  }

  /** Have a repository's set-up run in new worktrees, as long as it is exactly this text. */
  trustSetup(folder: string, text: string): Promise<Repository> {
    return this.ask('POST /api/trusted-setups', { body: { folder, text } });
  }

  // Changed files.

  /** The files of the session's folder that differ from the last commit, or from something else. */
  changes(session: string, query: ComparedWith = {}): Promise<FolderChangeList> {
    return this.ask('GET /api/sessions/{session}/changes', { params: { session }, query });
  }

  /** How one of these files differs. */
  fileDiff(
    session: string,
    query: ComparedWith & { path: string; oldPath?: string; context?: number },
  ): Promise<FileDiff> {
    return this.ask('GET /api/sessions/{session}/changes/diff', { params: { session }, query });
  }

  /** Branches that the files can be compared with, those that were committed to last first. */
  branches(session: string): Promise<{ items: string[]; isCut: boolean }> {
    return this.ask('GET /api/sessions/{session}/changes/branches', { params: { session } });
  }

  /** What each of its last turns changed, the newest first; `base: 'turn'` shows the files of one. */
  async turnChanges(session: string): Promise<TurnChanges[]> {
    return (await this.ask('GET /api/sessions/{session}/changes/turns', { params: { session } })).items;
  }

  /** Stage files of the session's folder. */
  stage(session: string, paths: string[]): Promise<unknown> {
    return this.ask('POST /api/sessions/{session}/changes/stage', { params: { session }, body: { paths } });
  }

  /** Unstage files of the session's folder. */
  unstage(session: string, paths: string[]): Promise<unknown> {
    return this.ask('POST /api/sessions/{session}/changes/unstage', { params: { session }, body: { paths } });
  }

  /** Restore files to the last commit; the id in the answer undoes it. */
  discard(session: string, paths: string[]): Promise<{ discard: string }> {
    return this.ask('POST /api/sessions/{session}/changes/discard', { params: { session }, body: { paths } });
  }

  /** Bring back what was discarded; refused if the files have changed since. */
  undoDiscard(session: string, discard: string): Promise<unknown> {
    return this.ask('POST /api/sessions/{session}/changes/undo', { params: { session }, body: { discard } });
  }

  /** Commit what is staged. Hooks of the repository are not run, and nothing is pushed. */
  commit(session: string, message: string): Promise<{ commit: string }> {
    return this.ask('POST /api/sessions/{session}/changes/commit', {
      params: { session },
      body: { message },
    });
  }

  // Comments on changed lines.

  /** Comments on changed lines that were not sent yet, and whether they still fit. */
  async changeComments(session: string): Promise<ChangeComment[]> {
    return (await this.ask('GET /api/sessions/{session}/changes/comments', { params: { session } })).items;
  }

  /** A comment on changed lines, which waits to be sent. */
  addChangeComment(
    session: string,
    comment: Pick<ChangeComment, 'path' | 'side' | 'line' | 'quote' | 'text'> & ComparedWith,
  ): Promise<ChangeComment> {
    return this.ask('POST /api/sessions/{session}/changes/comments', { params: { session }, body: comment });
  }

  removeChangeComment(session: string, comment: string): Promise<unknown> {
    const params = { session, comment };
    return this.ask('DELETE /api/sessions/{session}/changes/comments/{comment}', { params });
  }

  /** Send all comments to the agent as one prompt. Sent again with the same client id, it is taken once. */
  sendChangeComments(session: string, clientId: string): Promise<Prompt> {
    return this.ask('POST /api/sessions/{session}/changes/comments/send', {
      params: { session },
      body: { clientId },
    });
  }

  // Worktrees.

  /** The worktrees of sessions, and what keeps each from being removed. */
  async worktrees(): Promise<Worktree[]> {
    return (await this.ask('GET /api/worktrees')).items;
  }

  /** Remove worktrees that no session uses and whose removal loses nothing; tells what happened to each. */
  async sweepWorktrees(): Promise<LeftWorktree[]> {
    return (await this.ask('POST /api/worktrees/sweep')).items;
  }

  /** Remove a worktree that no session uses, with the changes in it; a branch with commits of its own stays. */
  removeWorktree(repository: string, slug: string): Promise<LeftWorktree> {
    return this.ask('DELETE /api/worktrees/{repository}/{slug}', { params: { repository, slug } });
  }

  /** The output of the set-up command of a session's worktree. */
  setupOutput(session: string): Promise<SetupOutput> {
    return this.ask('GET /api/sessions/{session}/setup', { params: { session } });
  }

  // Terminals.

  /** The terminals of a session, in the order in which they were started. */
  async terminals(session: string): Promise<Terminal[]> {
    return (await this.ask('GET /api/sessions/{session}/terminals', { params: { session } })).items;
  }

  /** A shell in the session's folder, on the machine of the hub. */
  startTerminal(session: string, size: Partial<TerminalSize> = {}): Promise<Terminal> {
    return this.ask('POST /api/sessions/{session}/terminals', { params: { session }, body: size });
  }

  /** End a terminal with all that runs in it, and forget what it wrote. */
  endTerminal(session: string, number: number): Promise<Terminal> {
    const params = { session, terminal: String(number) };
    return this.ask('DELETE /api/sessions/{session}/terminals/{terminal}', { params });
  }

  // What agents spend.

  /** The limits of what agents may spend, and how much of each is spent; with a session, those that apply to it. */
  async budgets(query: { session?: string } = {}): Promise<Budget[]> {
    return (await this.ask('GET /api/budgets', { query })).items;
  }

  /** Add a budget. */
  addBudget(budget: NewBudget): Promise<Budget> {
    return this.ask('POST /api/budgets', { body: budget });
  }

  /** Raise or lower a budget. */
  changeBudget(id: string, change: BudgetChange): Promise<Budget> {
    return this.ask('PATCH /api/budgets/{budget}', { params: { budget: id }, body: change });
  }

  removeBudget(id: string): Promise<Budget> {
    return this.ask('DELETE /api/budgets/{budget}', { params: { budget: id } });
  }

  /** Allow a session one more turn, even if a budget is used up. */
  allowTurn(session: string): Promise<Session> {
    return this.ask('POST /api/sessions/{session}/allow-turn', { params: { session }, body: {} });
  }

  /** What was spent, by day, model, folder, person or session. */
  spend(query: RouteRequest<'GET /api/spend'>['query'] = {}): Promise<SpendReport> {
    return this.ask('GET /api/spend', { query });
  }

  // What agents are started with.

  /** Profiles that an agent can be launched with: their names and those of their variables. */
  async profiles(): Promise<Profile[]> {
    return (await this.ask('GET /api/profiles')).items;
  }

  /** Create a profile, or change its variables; null removes one. Stored values can be replaced, but not read. */
  setProfile(name: string, variables: ProfileChange['variables']): Promise<Profile> {
    return this.ask('POST /api/profiles', { body: { name, variables } });
  }

  removeProfile(name: string): Promise<Profile> {
    return this.ask('DELETE /api/profiles/{profile}', { params: { profile: name } });
  }

  /** The agents that config.json of the hub defines. Takes the scope admin. */
  async agentDefinitions(): Promise<AgentDefinition[]> {
    return (await this.ask('GET /api/agent-definitions')).items;
  }

  /** Define an agent, or change one. Only the variables that are named change; null removes one. */
  defineAgent(agent: AgentDefinitionChange): Promise<AgentDefinition> {
    return this.ask('POST /api/agent-definitions', { body: agent });
  }

  /** Remove an agent from config.json; those that run go on. */
  removeAgentDefinition(agent: string): Promise<AgentDefinition> {
    return this.ask('DELETE /api/agent-definitions/{agent}', { params: { agent } });
  }

  // Notices.

  /** Notices with the outcome of each, newest first. */
  notices(query: PageQuery & { session?: string } = {}): Promise<Page<Notice>> {
    return this.ask('GET /api/notices', { query });
  }

  /** The targets of notices. */
  async noticeTargets(): Promise<NoticeTarget[]> {
    return (await this.ask('GET /api/notices/targets')).items;
  }

  /** Send notices to a webhook or an ntfy topic; the secret of a webhook is told this once. */
  addNoticeTarget(target: NewNoticeTarget): Promise<{ target: NoticeTarget; secret: string | null }> {
    return this.ask('POST /api/notices/targets', { body: target });
  }

  removeNoticeTarget(id: string): Promise<NoticeTarget> {
    return this.ask('DELETE /api/notices/targets/{target}', { params: { target: id } });
  }

  /** Send a test notice; `notices` has its outcome. */
  testNoticeTarget(id: string): Promise<{ notice: string }> {
    return this.ask('POST /api/notices/targets/{target}/test', { params: { target: id } });
  }

  /** The key that a browser subscribes with; null where the hub cannot push. */
  async pushKey(): Promise<string | null> {
    return (await this.ask('GET /api/notices/push-key')).publicKey;
  }

  /** Push notices to this device; another subscription of it is replaced. */
  subscribeToPush(subscription: NewPushSubscription): Promise<NoticeTarget> {
    return this.ask('POST /api/notices/push', { body: subscription });
  }

  // Relays of others.

  /** Relays of other programs on the hub's machine. */
  async nearby(): Promise<NearbyRelay[]> {
    return (await this.ask('GET /api/nearby')).items;
  }

  /** Join one of them as a frontend: its agent becomes a session of the hub. */
  joinRelay(port: number, agent?: string): Promise<Session> {
    return this.ask('POST /api/nearby', { body: { port, ...(agent === undefined ? {} : { agent }) } });
  }
}
