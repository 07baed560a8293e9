import { textAt } from '@signalbox/protocol';
import type { ReactNode } from 'react';
import type { PermissionRequest } from 'signalbox/hub';
import { t } from '../words/t.ts';
import { Card } from './card.tsx';
import type { Answering } from './use-answer.ts';

/** The frame of what an MCP server asks: which one, and in its own words, which are nobody's to trust. */
export function ServerCard({
  title,
  ask,
  problem,
  foot,
  children,
}: {
  title: string;
  ask: PermissionRequest;
  problem: string;
  foot: () => ReactNode;
  children: ReactNode;
}) {
  const message = textAt(ask.request, 'message');
  return (
    <Card title={title} where={serverName(ask)} problem={problem} foot={foot}>
      {message !== '' && <p className="server-words">{message}</p>}
      {children}
    </Card>
  );
}

/** The two ways to say no to a server: a refusal, and no decision at all. */
export function Refusals({ answering }: { answering: Answering }) {
  const { answer, isLocked } = answering;
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={isLocked}
        title={t.asks.declineTitle}
        onClick={() => answer({ behavior: 'deny' })}
      >
        {t.asks.decline}
      </button>
      <button
        type="button"
        className="button quiet"
        disabled={isLocked}
        title={t.asks.cancelTitle}
        onClick={() => answer({ behavior: 'deny', dismissed: true })}
      >
        {t.common.cancel}
      </button>
    </>
  );
}

function serverName({ request }: PermissionRequest): string {
  return textAt(request, 'display_name') || textAt(request, 'mcp_server_name');
}
