import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HubNodes, Session } from '@signalbox/protocol/hub';
import type { OpenSockets } from '../auth/open-sockets.ts';
import { type Log, SILENT_LOG } from '../base/log.ts';
import { AgentKeeper } from '../launch/agent-keeper.ts';
import { TerminalOnlyError } from '../launch/launch-errors.ts';
import { Launcher, type LauncherParts } from '../launch/launcher.ts';
import { LaunchesHere } from '../launch/launches-here.ts';
import { LiveLoops } from '../loops/live-loops.ts';
import type { NoticeOutbox } from '../notices/notice-outbox.ts';
import type { PushKeys } from '../notices/push-keys.ts';
import { Policy } from '../policy/policy.ts';
import { Profiles } from '../profiles/profiles.ts';
import { SavedPrompts } from '../saved-prompts/saved-prompts.ts';
import { Ledger } from '../spend/ledger.ts';
import type { Terminals } from '../terminals/terminals.ts';
import { AgentTerminals } from '../views/agent-terminals.ts';
import { ViewSwitcher, type ViewSwitcherParts } from '../views/view-switcher.ts';
import { Worktrees } from '../worktrees/worktrees.ts';
import { AgentDefinitionService } from './agent-definition-service.ts';
import { AgentRestarts } from './agent-restarts.ts';
import { AgentService } from './agent-service.ts';
import { ArchiveService } from './archive-service.ts';
import { BudgetService } from './budget-service.ts';
import { ChangesService } from './changes-service.ts';
import { CommentService } from './comment-service.ts';
import { Decisions } from './decisions.ts';
import { DeviceService } from './device-service.ts';
import { FolderService } from './folder-service.ts';
import { ForkService } from './fork-service.ts';
import { LaunchService, type Views } from './launch-service.ts';
import { LoopService } from './loop-service.ts';
import { NearbyService } from './nearby-service.ts';
import { NodeService } from './node-service.ts';
import { NoticeAnswerService } from './notice-answer-service.ts';
import { NoticeService } from './notice-service.ts';
import { ProfileService } from './profile-service.ts';
import { RuleService } from './rule-service.ts';
import { SavedPromptService } from './saved-prompt-service.ts';
import { SearchService } from './search-service.ts';
import { SessionConversations } from './session-conversations.ts';
import { SessionGitFacts } from './session-git.ts';
import { SessionService } from './session-service.ts';
import { SpendService } from './spend-service.ts';
import { type RetentionSettings, StorageService } from './storage-service.ts';
import { TerminalService } from './terminal-service.ts';
import { TrustService, type TrustSetup } from './trust-service.ts';
import { TurnSnapshots } from './turn-snapshots.ts';
import { ViewService } from './view-service.ts';
import { WorktreeService } from './worktree-service.ts';

/** All that people and agents can have done, whatever door they come by: who may do it is decided here, and nowhere else. */
export interface Services {
  sessions: SessionService;
  devices: DeviceService;
  agents: AgentService;
  launches: LaunchService;
  forks: ForkService;
  archive: ArchiveService;
  search: SearchService;
  storage: StorageService;
  nodes: NodeService;
  loops: LoopService;
  rules: RuleService;
  budgets: BudgetService;
  spend: SpendService;
  /** Undefined where no agents of this machine are run. */
  profiles: ProfileService | undefined;
  /** Undefined where nobody may define agents from afar. */
  definitions: AgentDefinitionService | undefined;
  folders: FolderService | undefined;
  savedPrompts: SavedPromptService | undefined;
  notices: NoticeService;
  noticeAnswers: NoticeAnswerService;
  /** Undefined where no programs of this machine are run. */
  changes: ChangesService | undefined;
  /** Undefined where no programs of this machine are run. */
  nearby: NearbyService | undefined;
  comments: CommentService | undefined;
  /** Undefined where nobody may trust a folder from afar. */
  trust: TrustService | undefined;
  /** Undefined where no programs of this machine are run. */
  terminals: TerminalService | undefined;
  /** Undefined where no agents of this machine are run. */
  worktrees: WorktreeService | undefined;
  /** The same, for where a conversation goes on. */
  views: ViewService | undefined;
  restarts: AgentRestarts;
  /** What keeps an eye on the agents of this machine. */
  keeper: AgentKeeper;
  /** And on those in terminals. */
  inTerminals: AgentTerminals | undefined;
}

/** What {@link createServices} works with. */
export interface ServiceParts extends Omit<LauncherParts, 'revoke'> {
  /** That of the sessions. */
  policy?: Policy;
  /** The same, of what they spend. */
  ledger?: Ledger;
  outbox: NoticeOutbox;
  pushKeys?: PushKeys | undefined;
  sockets: OpenSockets;
  trust?: TrustSetup | undefined;
  /** What is kept for how long. */
  retention?: RetentionSettings;
  /** Where several hubs share a database. */
  nodes?: (() => Promise<HubNodes>) | undefined;
  terminals?: Terminals | undefined;
  log?: Log;
}

/** Put them together; nothing runs before it is asked for. */
export function createServices({
  policy = new Policy(),
  ledger = new Ledger(),
  outbox,
  pushKeys,
  sockets,
  trust,
  terminals: running,
  retention = { read: () => ({}) },
  log = SILENT_LOG,
  ...given
}: ServiceParts): Services {
  const { node } = given.setup ?? {};
  const store =
    node === undefined
      ? given.store
      : { ...given.store, launches: new LaunchesHere(given.store.launches, node) };
  const parts = { ...given, store };
  const { sessions } = parts;
  const decisions = new Decisions(store, log);
  const devices = new DeviceService(store, sockets, decisions);
  const launching = { ...parts, revoke: async (device: string) => void (await devices.end(device)) };
  const { revoke } = launching;
  const terminals =
    running &&
    new TerminalService({
      store,
      sessions,
      terminals: running,
      decisions,
      revoke,
      isShared: node !== undefined,
    });
  const { onTrouble } = parts;
  const snapshots = parts.setup && new TurnSnapshots({ store, sessions, home: parts.setup.home, onTrouble });
  const worktrees = parts.setup && new Worktrees(parts.setup.home);
  const git = parts.setup && new SessionGitFacts({ store, sessions, worktrees, onTrouble });
  const changes =
    parts.setup &&
    snapshots &&
    git &&
    new ChangesService({ store, sessions, decisions, snapshots, git, home: parts.setup.home });
  const onStarting = (session: Session): void => {
    snapshots?.started(session);
    git?.look(session.id);
  };
  const profiles = parts.setup && new Profiles(parts.setup.home);
  const { agents: localAgents, definitions } = parts.setup ?? {};
  const launcher = new Launcher({ ...launching, onStarting, profiles });
  const keeper = new AgentKeeper(launching, launcher);
  const conversations = new SessionConversations({ store, launcher });
  const views = running && viewsOf({ ...launching, launcher, keeper, terminals: running });
  const launches = new LaunchService({
    store,
    sessions,
    launcher,
    keeper,
    worktrees,
    decisions,
    conversations,
    views,
    ledger,
    onEnding: (live) => restarts.cancel(live),
    onTrouble,
  });
  const restarts = new AgentRestarts({
    store,
    sessions,
    start: (id) => launches.restartFor({ by: 'hub' }, id),
    isStarting: (id) => launcher.underWay.has(id),
    onTrouble,
  });
  const people = new SessionService(store, sessions, decisions, launches);
  const loops = new LiveLoops({
    store,
    sessions,
    launches: {
      check: (launch) => {
        const { spec, title, view } = launcher.plan(launch);
        if (view === 'terminal') throw new TerminalOnlyError(title, 'no loop can run it');
        return { ...launch, folder: spec.folder };
      },
      // Whatever was made of it before is gone on with: the id is the iteration's own.
      launch: (author, launch) => launches.launch(author, launch, undefined, 0),
      restart: async (author, id) => void (await launches.restartFor(author, id)),
      stop: (id) => launches.end(id),
    },
    scratch: join(parts.setup?.home ?? tmpdir(), 'loops'),
    onTrouble: (error, session = '') => onTrouble(error, session),
  });
  return {
    sessions: people,
    devices,
    agents: new AgentService(store, sessions),
    launches,
    forks: new ForkService({ store, launches, conversations }),
    rules: new RuleService({ store, sessions, policy, decisions }),
    budgets: new BudgetService({ store, sessions, ledger, decisions }),
    spend: new SpendService(store),
    profiles: profiles && new ProfileService(profiles, decisions),
    definitions:
      definitions && localAgents && new AgentDefinitionService(definitions, localAgents, decisions),
    savedPrompts: parts.setup && new SavedPromptService(new SavedPrompts(parts.setup.home), decisions),
    folders: parts.setup && new FolderService({ store, sessions }),
    notices: new NoticeService({ store, outbox, pushKeys, decisions }),
    noticeAnswers: new NoticeAnswerService({ store, sessions, outbox, decisions }),
    loops: new LoopService({ store, sessions, loops, decisions, onTrouble }),
    archive: new ArchiveService({
      store,
      sessions,
      keeper,
      devices,
      terminals,
      worktrees,
      changes,
      decisions,
    }),
    search: new SearchService(store),
    storage: new StorageService({
      store,
      terminals: running,
      archive: parts.setup && join(parts.setup.home, 'archive'),
      decisions,
      settings: retention,
      onTrouble: (error) => onTrouble(error, ''),
    }),
    nodes: new NodeService(parts.nodes),
    changes,
    nearby: parts.setup && new NearbyService(launches, parts.setup.program, parts.hub),
    comments: changes && new CommentService(store, people, changes),
    trust: trust && new TrustService(trust, store.launches, decisions),
    terminals,
    worktrees: worktrees && new WorktreeService({ store, sessions, worktrees, decisions }),
    views: views && new ViewService({ sessions, switcher: views.switcher, conversations, decisions }),
    restarts,
    keeper,
    inTerminals: views?.agents,
  };
}

function viewsOf(parts: Omit<ViewSwitcherParts, 'agents'>): Views {
  const agents = new AgentTerminals(parts);
  return { agents, switcher: new ViewSwitcher({ ...parts, agents }) };
}
