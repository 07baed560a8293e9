import { sessionTitle } from '@signalbox/protocol';
import { lazy, Suspense, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { Dock } from '../compose/dock.tsx';
import { GoBackContext, type GoBackPlace } from '../go-back/go-back-context.ts';
import type { FeedState, SessionFeed } from '../live/session-feed.ts';
import { LoopBar } from '../loops/loop-bar.tsx';
import { isScripted } from '../model/scripted.ts';
import type { SessionScreen } from '../model/session-model.ts';
import { shortFolder } from '../model/short-folder.ts';
import { MenuIcon, WarningIcon } from '../parts/icons.tsx';
import { LoadedDialog } from '../parts/loaded-dialog.tsx';
import { Notice } from '../parts/notice.tsx';
import { PartBoundary } from '../parts/part-boundary.tsx';
import { useHub, useHubView } from '../shell/hub-context.ts';
import { useMayFork } from '../shell/scope.ts';
import { BudgetNotice } from '../spend/budget-notice.tsx';
import { TourBar } from '../tour/tour-bar.tsx';
import { FindBar } from '../transcript/find-bar.tsx';
import { OpenTurnContext } from '../transcript/item-view.tsx';
import { TranscriptView } from '../transcript/transcript-view.tsx';
import { useFind } from '../transcript/use-find.ts';
import { t } from '../words/t.ts';
import { SetupPanel } from '../worktrees/setup-panel.tsx';
import { Divider, useBeside, useShare } from './beside.tsx';
import { useSeen } from './seen.ts';
import { StateDot } from './session-list.tsx';
import { SessionMenu } from './session-menu.tsx';
import { type SessionTab, SessionTabs } from './session-tabs.tsx';
import { TrustNotice } from './trust-notice.tsx';
import { useSessionTab } from './use-session-tab.ts';

/** Loaded when it is first opened: most never do. */
const TerminalPanel = lazy(() => import('../terminal/terminal-panel.tsx'));
const ChangesPanel = lazy(() => import('../changes/changes-panel.tsx'));

const DetailsPanel = lazy(() => import('../details/details-panel.tsx'));

const GoBackDialog = lazy(() => import('../go-back/go-back-dialog.tsx'));
const AgentTerminal = lazy(() => import('../terminal/agent-terminal.tsx'));

const NOTHING = (): FeedState => OPENING;
const OPENING: FeedState = { name: 'opening' };
const NEVER = (): (() => void) => () => {};

export function SessionPage({
  id,
  elsewhere,
  onList,
  onAsks,
}: {
  id: string;
  /** How many other sessions ask something. */
  elsewhere: number;
  onList: () => void;
  onAsks: (count: number) => void;
}) {
  const feed = useFeed(id);
  const state = useSyncExternalStore(feed?.subscribe ?? NEVER, feed?.state ?? NOTHING);
  const screen = state.name === 'open' ? state.screen : undefined;
  const asks = screen?.asks.length ?? 0;
  const isOnScreen = screen?.session.view === 'terminal-only' && screen.activity === 'exited';
  const isInTerminal = screen?.activity === 'terminal' || isOnScreen;
  useSeen(screen?.session);
  const [sent, setSent] = useState(0);
  const [problem, setProblem] = useState('');
  const isTold = screen?.session.id === id && screen.keptAt === undefined;
  const [tab, setTab] = useSessionTab(id, isTold ? asks : undefined);
  const [turn, setTurn] = useState<number>();
  const [backTo, setBackTo] = useState<GoBackPlace>();
  const stopGoingBack = useCallback(() => setBackTo(undefined), []);
  const mayGoBack = useMayFork();
  const onTab = useCallback(
    (next: SessionTab) => {
      setTurn(undefined);
      setTab(next);
    },
    [setTab],
  );
  const showAgent = useCallback(() => onTab('agent'), [onTab]);
  useEffect(() => setTurn(undefined), [id]);
  const openDetails = useCallback(() => onTab('details'), [onTab]);
  const { isBeside, button } = useBeside(showAgent);
  const openTurn = useCallback(
    (next: number) => {
      setTurn(next);
      if (!isBeside) setTab('changes');
    },
    [isBeside, setTab],
  );
  const [share, setShare] = useShare();
  const isSplit = isBeside && tab === 'agent' && !isInTerminal;
  const { isFinding, stopFinding } = useFind(tab === 'agent' && screen !== undefined && !isInTerminal);
  const onSend = useCallback(() => setSent((count) => count + 1), []);
  useEffect(() => onAsks(asks), [asks, onAsks]);
  useEffect(() => () => onAsks(0), [onAsks]);
  return (
    <main className="page">
      <header className="page-head">
        <button
          type="button"
          className="icon-button only-narrow"
          aria-label={elsewhere > 0 ? t.sessions.askYou(elsewhere) : t.sessions.sessions}
          onClick={onList}
        >
          <MenuIcon />
          {elsewhere > 0 && <span className="badge">{elsewhere}</span>}
        </button>
        {screen && (
          <>
            <StateDot session={{ ...screen.session, state: screen.activity }} />
            <h1 className="page-title" dir="auto">
              {sessionTitle(screen.session)}
            </h1>
            <span className="page-where faint" title={screen.session.folder ?? undefined}>
              {screen.session.folder && shortFolder(screen.session.folder)}
            </span>
            <SessionTabs tab={tab} asks={asks} onTab={onTab} />
            {button}
            <Others viewers={screen.viewers} />
            <SessionMenu
              session={screen.session}
              activity={screen.activity}
              onDetails={openDetails}
              onProblem={setProblem}
            />
          </>
        )}
      </header>
      {screen?.session.loop && <LoopBar session={screen.session} />}
      {screen && <TourBar asks={asks} isOffered={isScripted(screen.session)} />}
      {problem !== '' && <Notice words={problem} onClose={() => setProblem('')} />}
      {state.name === 'open' && state.problem !== '' && (
        <div className="notice">
          <WarningIcon />
          <p role="alert" dir="auto">
            {t.sessions.cannotFollow(state.problem)}
          </p>
        </div>
      )}
      {state.name === 'failed' && (
        <div className="calm">
          <h1>{t.sessions.cannotShow}</h1>
          <p>{state.reason}</p>
          <a href="/">{t.sessions.goToSessions}</a>
        </div>
      )}
      {state.name === 'opening' && <div className="transcript" aria-busy="true" />}
      {screen && tab === 'agent' && <SetupPanel session={screen.session} activity={screen.activity} />}
      <div className="session-body" data-split={isSplit}>
        {state.name === 'open' && feed && (
          <div
            className="agent-panel"
            hidden={tab !== 'agent' || isInTerminal}
            style={isSplit ? { flexBasis: `${share}%` } : undefined}
          >
            {isFinding && <FindBar session={id} onClose={stopFinding} />}
            <TrustNotice key={id} session={state.screen.session} />
            <PartBoundary name={t.parts.names.transcript}>
              <GoBackContext value={mayGoBack && state.screen.session.isLaunched ? setBackTo : undefined}>
                <OpenTurnContext value={openTurn}>
                  <TranscriptView screen={state.screen} loading={state.loading} sent={sent} feed={feed} />
                </OpenTurnContext>
              </GoBackContext>
            </PartBoundary>
            <BudgetNotice session={state.screen.session} />
            <PartBoundary name={t.parts.names.box}>
              <Dock screen={state.screen} onSend={onSend} />
            </PartBoundary>
          </div>
        )}
        {isSplit && <Divider share={share} onShare={setShare} />}
        {state.name === 'open' && (tab === 'changes' || isSplit) && (
          <PartBoundary name={t.parts.names.changes}>
            <Suspense fallback={<div className="transcript" aria-busy="true" />}>
              <ChangesPanel key={`${id} ${turn ?? ''}`} session={id} turn={turn} />
            </Suspense>
          </PartBoundary>
        )}
      </div>
      {screen && backTo && (
        <LoadedDialog onClose={stopGoingBack}>
          <GoBackDialog
            session={{ ...screen.session, state: screen.activity }}
            place={backTo}
            onClose={stopGoingBack}
          />
        </LoadedDialog>
      )}
      {state.name === 'open' && isInTerminal && tab === 'agent' && (
        <PartBoundary name={t.parts.names.screen}>
          <Suspense fallback={<div className="transcript" aria-busy="true" />}>
            <AgentTerminal key={id} session={state.screen.session} />
          </Suspense>
        </PartBoundary>
      )}
      {state.name === 'open' && tab === 'terminal' && (
        <PartBoundary name={t.parts.names.terminal}>
          <Suspense fallback={<div className="transcript" aria-busy="true" />}>
            <TerminalPanel key={id} session={id} />
          </Suspense>
        </PartBoundary>
      )}
      {state.name === 'open' && tab === 'details' && (
        <PartBoundary name={t.parts.names.details}>
          <Suspense fallback={<div className="transcript" aria-busy="true" />}>
            <DetailsPanel
              key={id}
              session={state.screen.session}
              activity={state.screen.activity}
              next={state.screen.next}
            />
          </Suspense>
        </PartBoundary>
      )}
    </main>
  );
}

/** Who else watches. */
function Others({ viewers }: { viewers: SessionScreen['viewers'] }) {
  const { device } = useHubView();
  const others = viewers.filter(
    ({ person, device: name }) => person !== device?.person || name !== device.name,
  );
  if (others.length === 0) return null;
  // Of oneself only the other device is news.
  const nameOf = ({ person, device: name }: SessionScreen['viewers'][number]): string =>
    person === device?.person ? name : person;
  const names = [...new Set(others.map(nameOf))].join(', ');
  return <span className="faint small only-wide">{t.sessions.watching(names)}</span>;
}

function useFeed(id: string): SessionFeed | undefined {
  const hub = useHub();
  const [feed, setFeed] = useState<SessionFeed>();
  useEffect(() => {
    const next = hub.feed(id);
    setFeed(next);
    return () => next.end();
  }, [hub, id]);
  return feed;
}
