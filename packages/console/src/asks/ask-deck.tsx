import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { PermissionRequest } from 'signalbox/hub';
import { alikeTo } from '../model/alike-asks.ts';
import { ChevronIcon } from '../parts/icons.tsx';
import { RowBoundary } from '../parts/row-boundary.tsx';
import { t } from '../words/t.ts';
import { AlikeCard } from './alike-card.tsx';
import { AskCard } from './ask-card.tsx';
import { CardContext } from './card-context.ts';
import { useDeckKeys } from './deck-keys.ts';
import { useFresh } from './use-fresh.ts';

/** What is asked, one card at a time. A card that was looked at keeps what was done on it. */
export function AskDeck({
  asks,
  title,
  folderOf,
  headOf = () => null,
  hasFocus = false,
}: {
  asks: readonly PermissionRequest[];
  /** Whose they are, where there are several decks. */
  title?: string;
  /** The folder of the agent that asks. */
  folderOf: (ask: PermissionRequest) => string | null;
  /** What stands above a card: whose question it is, where several agents ask. */
  headOf?: (ask: PermissionRequest) => ReactNode;
  /** It is what the reader came for. */
  hasFocus?: boolean;
}) {
  const label = title === undefined ? t.asks.asked : t.asks.askedIn(title);
  const [current, setCurrent] = useState({ id: asks[0] && keyOf(asks[0]), at: 0 });
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  /** Calls that are looked at together. */
  const [together, setTogether] = useState<readonly string[]>([]);
  const section = useRef<HTMLElement>(null);

  const found = asks.findIndex((ask) => keyOf(ask) === current.id);
  // Where the answered one was, the next one is.
  const at = found >= 0 ? found : Math.min(current.at, asks.length - 1);
  const shown = asks[at];
  const group = asks.filter((ask) => together.includes(keyOf(ask)));
  const isTogether = group.length > 1;
  const shownKey = isTogether ? 'together' : shown ? keyOf(shown) : '';
  if (shown && (keyOf(shown) !== current.id || at !== current.at)) setCurrent({ id: keyOf(shown), at });
  if (shown && !visited.has(keyOf(shown))) setVisited(new Set([...visited, keyOf(shown)]));
  useFocusOn(section, shownKey, hasFocus);

  const goTo = (place: number): void => {
    const ask = asks[place];
    if (ask) setCurrent({ id: keyOf(ask), at: place });
  };
  const onKey = useDeckKeys({ onStep: (step) => goTo(at + step) });
  const alike = shown ? alikeTo(shown, asks) : [];
  const pager = asks.length > 1 && (
    <nav className="pager" aria-label={label}>
      {alike.length > 1 && (
        <button type="button" className="button quiet" onClick={() => setTogether(alike.map(keyOf))}>
          {t.asks.seeAll(alike.length)}
        </button>
      )}
      <button
        type="button"
        className="icon-button back"
        aria-label={t.asks.previous}
        disabled={at === 0}
        onClick={() => goTo(at - 1)}
      >
        <ChevronIcon />
      </button>
      <span className="pager-place" aria-live="polite">
        {t.asks.place(at + 1, asks.length)}
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label={t.common.next}
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
        {t.asks.oneByOne}
      </button>
    </nav>
  );
  return (
    <section ref={section} className="asks-box" aria-label={label} onKeyDown={onKey}>
      {asks
        .filter((ask) => visited.has(keyOf(ask)) || ask === shown)
        .map((ask) => (
          <Slot key={keyOf(ask)} isShown={!isTogether && ask === shown} pager={pager} head={headOf(ask)}>
            <AskCard ask={ask} folder={folderOf(ask)} />
          </Slot>
        ))}
      {isTogether && group[0] && (
        <Slot isShown pager={oneByOne} head={headOf(group[0])}>
          <AlikeCard asks={group} folder={folderOf(group[0])} />
        </Slot>
      )}
    </section>
  );
}

/** What tells a request from all others: agents name theirs each for itself. */
function keyOf({ session, requestId }: PermissionRequest): string {
  return `${session}/${requestId}`;
}

/** The place of a card, which is shielded from presses that were meant for another. */
function Slot({
  isShown,
  pager,
  head,
  children,
}: {
  isShown: boolean;
  pager: ReactNode;
  head: ReactNode;
  children: ReactNode;
}) {
  const { isFresh, guard } = useFresh(isShown);
  return (
    <div className="ask-slot" hidden={!isShown}>
      {head}
      <CardContext value={{ isFresh, guard, pager: isShown && pager }}>
        <RowBoundary>{children}</RowBoundary>
      </CardContext>
    </div>
  );
}

/** Whoever works by keyboard goes on where they were: on the card that came in the place of the one they answered. */
function useFocusOn(section: { current: HTMLElement | null }, shown: string, isWanted: boolean): void {
  const hadFocus = useRef(isWanted);
  useEffect(() => {
    const { current: deck } = section;
    const note = (): void => {
      hadFocus.current = deck?.contains(document.activeElement) ?? false;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [section]);
  useEffect(() => {
    const { activeElement: focused } = document;
    // A browser takes the focus from what is hidden when it next draws.
    const isLost = !focused || focused === document.body || focused.closest('.ask-slot[hidden]') !== null;
    if (!hadFocus.current || !isLost) return;
    section.current?.querySelector<HTMLElement>('.ask-slot:not([hidden]) .card-body')?.focus();
  }, [section, shown]);
}
