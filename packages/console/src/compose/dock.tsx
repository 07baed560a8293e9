import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import type { PromptContent, PromptDelivery } from 'signalbox/hub';
import { AskDeck } from '../asks/ask-deck.tsx';
import { askWords } from '../asks/ask-words.ts';
import { before, draftIn, EMPTY } from '../model/draft.ts';
import { problemWords } from '../model/problem-words.ts';
import type { SessionScreen } from '../model/session-model.ts';
import { StatusLine } from '../sessions/status-line.tsx';
import { useHub, useHubView } from '../shell/hub-context.ts';
import { useMayDrive } from '../shell/scope.ts';
import { t } from '../words/t.ts';
import { changeDraft } from './drafts.ts';
import { PromptBox } from './prompt-box.tsx';
import { Queue } from './queue.tsx';

/** How long an interrupt waits for prompts that the hub has not confirmed: on a broken connection nobody would. */
const UNCONFIRMED_MS = 1000;

/** Below the transcript: what is asked, what waits, and where a person writes. */
export function Dock({ screen, onSend }: { screen: SessionScreen; onSend: () => void }) {
  const { session, activity, asks, prompts, commands } = screen;
  const { api, stream, outbox } = useHub();
  const person = useHubView().device?.person;
  const mayDrive = useMayDrive();
  const sent = useSyncExternalStore(outbox.subscribe, outbox.prompts);
  const [problem, setProblem] = useState('');
  /** Prompts that are in the box again: a second Esc must not bring them there twice. */
  const takenBack = useRef(new Set<string>());

  const send = useCallback(
    async (content: PromptContent, delivery: PromptDelivery): Promise<boolean> => {
      setProblem('');
      onSend();
      try {
        await outbox.send(session.id, content, delivery);
        return true;
      } catch (error) {
        setProblem(problemWords(error));
        return false;
      }
    },
    [outbox, session.id, onSend],
  );

  /** What one has said oneself, and waits, comes back into the box: one has not decided to go on yet. Others may have. */
  const takeBack = useCallback(async (): Promise<void> => {
    const inTime = new Promise((resolve) => setTimeout(resolve, UNCONFIRMED_MS));
    await Promise.race([outbox.settled(session.id), inTime]);
    // The screen is a moment behind what the hub knows.
    const waiting = (await api.waitingPrompts(session.id)).filter(
      ({ id, state, author }) =>
        state === 'waiting' && author.by === 'person' && author.name === person && !takenBack.current.has(id),
    );
    // The last one first: if the turn ends meanwhile, it is the next that the agent gets, and no later one.
    for (const { id, content } of waiting.toReversed()) {
      takenBack.current.add(id);
      await api.cancelPrompt(session.id, id);
      changeDraft(session.id, (draft) => before(draftIn(content), draft));
    }
  }, [api, outbox, session.id, person]);

  const keepWords = useCallback(
    (text: string): void => {
      changeDraft(session.id, (draft) => before({ ...EMPTY, text }, draft));
      setProblem(t.compose.overtaken);
    },
    [session.id],
  );

  const interrupt = useCallback(() => {
    setProblem('');
    takeBack()
      // One that the agent has got by now is interrupted with the rest.
      .catch(() => {})
      .then(() => stream.interrupt(session.id))
      .catch((error: unknown) => setProblem(problemWords(error)));
  }, [stream, session.id, takeBack]);

  return (
    <footer className="dock">
      <p className="unseen" aria-live="assertive">
        {asks.map(askWords).join('. ')}
      </p>
      {asks.length > 0 && <AskDeck key={session.id} asks={asks} folderOf={() => session.folder} />}
      <Queue
        session={session.id}
        prompts={prompts}
        sending={sent.filter((prompt) => prompt.session === session.id)}
        activity={activity}
        onOvertaken={keepWords}
      />
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {mayDrive ? (
        <PromptBox
          session={session.id}
          activity={activity}
          commands={commands}
          groups={screen.groups}
          onSend={send}
          onInterrupt={interrupt}
        />
      ) : (
        <p className="faint hint">{t.compose.watchOnly}</p>
      )}
      <StatusLine session={session} activity={activity} facts={screen.facts} keptAt={screen.keptAt} />
    </footer>
  );
}
