import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { PermissionRequest } from 'signalbox/hub';
import { alikeTo } from '../model/alike-asks.ts';
import { AlikeCard } from './alike-card.tsx';
import { AskCard } from './ask-card.tsx';
import { CardContext } from './card-context.ts';
import { ChevronIcon } from './icons.tsx';
import { RowBoundary } from './row-boundary.tsx';
import { useFresh } from './use-fresh.ts';

/** What the agent asks, one card at a time. A card that was looked at keeps what was done on it. */
export function AskDeck({ asks, folder }: { asks: readonly PermissionRequest[]; folder: string | null }) {
  const [current, setCurrent] = useState({ id: asks[0]?.requestId, at: 0 });
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  /** Calls that are looked at together. */
  const [together, setTogether] = useState<readonly string[]>([]);
  const section = useRef<HTMLElement>(null);

  const found = asks.findIndex(({ requestId }) => requestId === current.id);
  // Where the answered one was, the next one is.
  const at = found >= 0 ? found : Math.min(current.at, asks.length - 1);
  const shown = asks[at];
  const group = asks.filter(({ requestId }) => together.includes(requestId));
  const isTogether = group.length > 1;
  const shownKey = isTogether ? 'together' : (shown?.requestId ?? '');
  if (shown && (shown.requestId !== current.id || at !== current.at)) setCurrent({ id: shown.requestId, at });
  if (shown && !visited.has(shown.requestId)) setVisited(new Set([...visited, shown.requestId]));
  useFocusOn(section, shownKey);

  const goTo = (place: number): void => setCurrent({ id: asks[place]?.requestId, at: place });
  const alike = shown ? alikeTo(shown, asks) : [];
  const pager = asks.length > 1 && (
    <nav className="pager" aria-label="What the agent asks">
      {alike.length > 1 && (
        <button
          type="button"
          className="button quiet"
          onClick={() => setTogether(alike.map(({ requestId }) => requestId))}
        >
          See all {alike.length}
        </button>
      )}
      <button
        type="button"
        className="icon-button back"
        aria-label="Previous"
        disabled={at === 0}
        onClick={() => goTo(at - 1)}
      >
        <ChevronIcon />
      </button>
      <span className="pager-place" aria-live="polite">
        {at + 1} of {asks.length}
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label="Next"
        disabled={at === asks.length - 1}
        onClick={() => goTo(at + 1)}
      >
        <ChevronIcon />
      </button>
    </nav>
  );
  const oneByOne = (
    <nav className="pager">
      <button type="button" className="button quiet" onClick={() => setTogether([])}>
        One by one
      </button>
    </nav>
  );
  return (
    <section ref={section} className="asks-box" aria-label="What the agent asks">
      {asks
        .filter(({ requestId }) => visited.has(requestId) || requestId === shown?.requestId)
        .map((ask) => (
          <Slot key={ask.requestId} isShown={!isTogether && ask === shown} pager={pager}>
            <AskCard ask={ask} folder={folder} />
          </Slot>
        ))}
      {isTogether && (
        <Slot isShown pager={oneByOne}>
          <AlikeCard asks={group} folder={folder} />
        </Slot>
      )}
    </section>
  );
}

/** The place of a card, which is shielded from presses that were meant for another. */
function Slot({ isShown, pager, children }: { isShown: boolean; pager: ReactNode; children: ReactNode }) {
  const { isFresh, guard } = useFresh(isShown);
  return (
    <div className="ask-slot" hidden={!isShown}>
      <CardContext value={{ isFresh, guard, pager: isShown && pager }}>
        <RowBoundary>{children}</RowBoundary>
      </CardContext>
    </div>
  );
}

/** Whoever works by keyboard goes on where they were: on the card that came in the place of the one they answered. */
function useFocusOn(section: { current: HTMLElement | null }, shown: string): void {
  const hadFocus = useRef(false);
  useEffect(() => {
    const { current: deck } = section;
    const note = (): void => {
      hadFocus.current = deck?.contains(document.activeElement) ?? false;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [section]);
  useEffect(() => {
    const isLost = document.activeElement === document.body || document.activeElement === null;
    if (!hadFocus.current || !isLost) return;
    section.current?.querySelector<HTMLElement>('.ask-slot:not([hidden]) .card-body')?.focus();
  }, [section, shown]);
}
