import { useCommands } from '../palette/commands.ts';
import { t } from '../words/t.ts';

/** What of a session is shown. */
export type SessionTab = 'agent' | 'terminal' | 'changes' | 'details';

const TABS: readonly [SessionTab, string][] = [
  ['agent', t.sessions.agent],
  ['terminal', t.sessions.terminal],
  ['changes', t.sessions.changes],
  ['details', t.sessions.details],
];

export function isSessionTab(name: unknown): name is SessionTab {
  return TABS.some(([tab]) => tab === name);
}

/** Chooses between the parts of a session; says when the agent asks something while another one is shown. */
export function SessionTabs({
  tab,
  asks,
  onTab,
}: {
  tab: SessionTab;
  asks: number;
  onTab: (tab: SessionTab) => void;
}) {
  useCommands(
    TABS.filter(([name]) => name !== tab).map(([name, words]) => ({
      title: words,
      words: 'tab',
      group: 'session',
      run: () => onTab(name),
    })),
  );
  return (
    <div className="session-tabs" data-tab={tab} role="tablist" aria-label={t.sessions.parts}>
      {TABS.map(([name, words]) => {
        const isAsking = name === 'agent' && tab !== 'agent' && asks > 0;
        return (
          <button
            key={name}
            type="button"
            role="tab"
            className="session-tab"
            data-name={name}
            aria-selected={name === tab}
            onClick={() => onTab(name)}
          >
            {words}
            {isAsking && <span className="badge">{asks}</span>}
          </button>
        );
      })}
    </div>
  );
}
