import { useCallback, useEffect, useState } from 'react';
import { ownKey } from '../kept/own-storage.ts';
import { useEntryInAddress } from '../shell/route.ts';
import { isSessionTab, type SessionTab } from './session-tabs.tsx';

interface Choice {
  tab: SessionTab;
  /** The message that the address named when it was made: a link to another one leads to the agent again. */
  entry: number | undefined;
}

/**
 * Which part of a session is shown: each session has its own in this window, also when the page is loaded anew. Who comes to one that asks,
 * or by a link to a message, sees the agent. `asks` is undefined until the hub has told: of what this browser kept nobody knows what it asks.
 */
export function useSessionTab(id: string, asks: number | undefined): [SessionTab, (tab: SessionTab) => void] {
  const entry = useEntryInAddress();
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({});
  const chosen = choices[id]?.entry === entry ? choices[id]?.tab : undefined;
  const isAgents = entry !== undefined || (asks ?? 0) > 0;
  const tab = chosen ?? (isAgents ? 'agent' : keptTab(id));
  const choose = useCallback(
    (next: SessionTab) => setChoices((before) => ({ ...before, [id]: { tab: next, entry } })),
    [id, entry],
  );
  const isOpen = asks !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    // What is asked from now on takes nobody away from what they look at.
    if (chosen === undefined) choose(tab);
    keepTab(id, tab);
  }, [id, tab, chosen, choose, isOpen]);
  return [tab, choose];
}

function keptTab(id: string): SessionTab {
  const key = keyOf(id);
  const kept = key === undefined ? null : sessionStorage.getItem(key);
  return isSessionTab(kept) ? kept : 'agent';
}

function keepTab(id: string, tab: SessionTab): void {
  const key = keyOf(id);
  if (key === undefined) return;
  try {
    if (tab === 'agent') sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, tab);
  } catch {
    // Where there is no room it holds until the page is left.
  }
}

function keyOf(id: string): string | undefined {
  return ownKey(`tab ${id}`);
}
