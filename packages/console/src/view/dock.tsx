import { messageOf } from '@signalbox/protocol';
import { useCallback, useState } from 'react';
import type { PromptContent, PromptDelivery } from 'signalbox/hub';
import type { SessionScreen } from '../model/session-model.ts';
import { AskCard } from './ask-card.tsx';
import { askWords } from './ask-words.ts';
import { useHub } from './hub-context.ts';
import { PromptBox } from './prompt-box.tsx';
import { Queue, type Sending } from './queue.tsx';
import { useMayDrive } from './scope.ts';
import { StatusLine } from './status-line.tsx';

/** Below the transcript: what is asked, what waits, and where a person writes. */
export function Dock({ screen }: { screen: SessionScreen }) {
  const { session, activity, asks, prompts } = screen;
  const { stream } = useHub();
  const mayDrive = useMayDrive();
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const [problem, setProblem] = useState('');

  const send = useCallback(
    async (content: PromptContent, delivery: PromptDelivery): Promise<boolean> => {
      const clientId = crypto.randomUUID();
      setProblem('');
      setSending((all) => [...all, { clientId, content }]);
      try {
        await stream.prompt(session.id, content, { id: clientId, delivery });
        return true;
      } catch (error) {
        setProblem(messageOf(error));
        return false;
      } finally {
        setSending((all) => all.filter((one) => one.clientId !== clientId));
      }
    },
    [stream, session.id],
  );

  const interrupt = useCallback(() => {
    setProblem('');
    stream.interrupt(session.id).catch((error: unknown) => setProblem(messageOf(error)));
  }, [stream, session.id]);

  return (
    <footer className="dock">
      <p className="unseen" aria-live="assertive">
        {asks.map(askWords).join('. ')}
      </p>
      {asks.length > 0 && (
        <section className="asks-box" aria-label="What the agent asks">
          {asks.map((ask) => (
            <AskCard key={ask.requestId} ask={ask} folder={session.folder} />
          ))}
        </section>
      )}
      <Queue session={session.id} prompts={prompts} sending={sending} activity={activity} />
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {mayDrive ? (
        <PromptBox session={session.id} activity={activity} onSend={send} onInterrupt={interrupt} />
      ) : (
        <p className="faint hint">This browser may watch this session, and not write to its agent.</p>
      )}
      <StatusLine session={session} activity={activity} />
    </footer>
  );
}
