import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { HubDevice } from 'signalbox/hub';
import { t } from '../words/t.ts';

/** A page about the hub itself, beside the board and the sessions. */
export interface HubPage {
  /** Its address: a part of the home page for the hub, which knows the addresses of sessions. */
  hash: string;
  title: string;
  /** Whether this browser may see it. */
  isFor: (me: HubDevice) => boolean;
  Page: LazyExoticComponent<ComponentType>;
}

const ofAllSessions = ({ session }: HubDevice): boolean => session === null;

/** All of them, in the order of the menu. Each is loaded when it is first opened. */
export const HUB_PAGES: readonly HubPage[] = [
  {
    hash: '#rules',
    title: t.shell.rules,
    isFor: ofAllSessions,
    Page: lazy(() => import('../rules/rules-page.tsx')),
  },
  {
    hash: '#spend',
    title: t.shell.spend,
    isFor: ofAllSessions,
    Page: lazy(() => import('../spend/spend-page.tsx')),
  },
  {
    hash: '#notices',
    title: t.shell.notices,
    isFor: () => true,
    Page: lazy(() => import('../notices/notices-page.tsx')),
  },
  {
    hash: '#agents',
    title: t.shell.agents,
    isFor: ({ scope, session }) => scope === 'admin' && session === null,
    Page: lazy(() => import('../agents/agents-page.tsx')),
  },
  {
    hash: '#devices',
    title: t.shell.devices,
    isFor: ({ scope, session }) => scope === 'admin' && session === null,
    Page: lazy(() => import('../devices/devices-page.tsx')),
  },
  {
    hash: '#audit',
    title: t.shell.audit,
    isFor: ({ scope, session }) => scope === 'admin' && session === null,
    Page: lazy(() => import('../audit/audit-page.tsx')),
  },
  {
    hash: '#worktrees',
    title: t.shell.worktrees,
    isFor: ({ scope }) => scope === 'drive' || scope === 'admin',
    Page: lazy(() => import('../worktrees/worktrees-page.tsx')),
  },
  {
    hash: '#relays',
    title: t.shell.relays,
    isFor: ({ scope }) => scope === 'admin',
    Page: lazy(() => import('../sessions/relays-page.tsx')),
  },
  {
    hash: '#storage',
    title: t.shell.storage,
    isFor: ({ scope, session }) => scope === 'admin' && session === null,
    Page: lazy(() => import('../storage/storage-page.tsx')),
  },
];
