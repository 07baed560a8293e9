import { type ControlPeer, ControlRefusal, type JsonObject } from '@signalbox/protocol';
import type { AgentSession } from '../conversation/agent-session.ts';
import type { Settings } from '../settings/settings.ts';
import { answerInitialize, sessionOffer, takeWishes } from './answer-initialize.ts';

/** What a host said to an agent before there was its session, which is made of the rest of it. */
export interface GrantedClaim {
  /** What `initialize` would have said, had the session existed. */
  readonly wishes: JsonObject;
  readonly isInitialized: boolean;
  readonly title: string | undefined;
  /** Whether the answer tells what the session has. */
  readonly includesOffer: boolean;
  readonly parkedMs: number;
}

/** Answer the host's `initialize`, and the claim that the session was made for: once, and no other. */
export function answerClaim(
  peer: ControlPeer,
  session: AgentSession,
  settings: Settings,
  claim: GrantedClaim | undefined,
): void {
  answerInitialize(peer, session, settings, claim?.isInitialized ?? false);
  if (claim) begin(claim, session, settings);
  let unanswered = claim;
  peer.handle('claim_session', () => {
    if (!unanswered) {
      throw new ControlRefusal(
        'not_a_spare: claim_session is only accepted by a process started with --await-claim that has not been claimed yet',
      );
    }
    const { includesOffer, parkedMs } = unanswered;
    unanswered = undefined;
    return {
      status: 'ok',
      cwd: session.thread.toolSession.originalCwd,
      session_id: session.id,
      parked_ms: parkedMs,
      sdk_mcp_settled: session.extensions.mcp.statuses().every(({ status }) => status !== 'pending'),
      ...(includesOffer ? { initialize: sessionOffer(session) } : {}),
    };
  });
}

function begin({ wishes, title }: GrantedClaim, session: AgentSession, settings: Settings): void {
  takeWishes(wishes, session, settings);
  if (title === undefined) return;
  session.thread.log.addNote({ type: 'custom-title', customTitle: title, sessionId: session.id });
}
