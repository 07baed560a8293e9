import { agentWords, spelledOut, textAt } from '@signalbox/protocol';
import type { PermissionRequest } from 'signalbox/hub';
import { t } from '../words/t.ts';

/** What is known about a call beside its input: who asks, why, and what the agent says about it. */
export function CallFacts({ ask: { request, parent } }: { ask: PermissionRequest }) {
  const facts: [string, string][] = [
    [t.asks.agentSays, agentWords(request)],
    [t.asks.because, textAt(request, 'decision_reason')],
    [t.asks.reaches, textAt(request, 'blocked_path')],
    [t.asks.subAgent, parent ? [parent.agentType, parent.description].filter(Boolean).join(' · ') : ''],
  ];
  const said = facts.filter(([, words]) => words !== '');
  if (said.length === 0) return null;
  return (
    <dl className="call-facts">
      {said.map(([name, words]) => (
        <div key={name}>
          <dt>{name}:</dt> <dd>{spelledOut(words)}</dd>
        </div>
      ))}
    </dl>
  );
}
