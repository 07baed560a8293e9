import { messageOf } from '@signalbox/protocol';
import { type KeyboardEvent, useState } from 'react';
import type { Prompt, PromptContent, SessionState } from 'signalbox/hub';
import { blocksIn, imagesIn, textIn } from '../model/content.ts';
import { onEscape } from './escape.ts';
import { useHub } from './hub-context.ts';
import { CloseIcon, PencilIcon } from './icons.tsx';
import { useMayDrive } from './scope.ts';
import { isSendKey } from './send-key.ts';

/** A prompt that the hub has not confirmed. */
export interface Sending {
  clientId: string;
  content: PromptContent;
}

/** Prompts that wait for the agent; as long as they do, they can be changed. */
export function Queue({
  session,
  prompts,
  sending,
  activity,
}: {
  session: string;
  prompts: readonly Prompt[];
  sending: readonly Sending[];
  activity: SessionState;
}) {
  const known = new Set(prompts.map(({ clientId }) => clientId));
  const unsent = sending.filter(({ clientId }) => !known.has(clientId));
  if (prompts.length === 0 && unsent.length === 0) return null;
  const isAway = activity === 'exited' || activity === 'disconnected';
  return (
    <ul className="queue" aria-label="Waiting prompts">
      {prompts.map((prompt) => (
        <Waiting
          key={prompt.id}
          session={session}
          prompt={prompt}
          why={isAway ? 'waits for the agent' : 'waits'}
        />
      ))}
      {unsent.map(({ clientId, content }) => (
        <li key={clientId} className="queued">
          <span className="queued-text" dir="auto">
            {wordsOf(content)}
          </span>
          <span className="faint small">sending …</span>
        </li>
      ))}
    </ul>
  );
}

function Waiting({ session, prompt, why }: { session: string; prompt: Prompt; why: string }) {
  const { api } = useHub();
  const mayDrive = useMayDrive();
  const [draft, setDraft] = useState<string>();
  /** Who has changed it, or left it as it is, goes on from where they came. */
  const [wasOpen, setWasOpen] = useState(false);
  const [problem, setProblem] = useState('');
  const tell = (work: Promise<unknown>): void => {
    work.then(
      () => setDraft(undefined),
      (error: unknown) => setProblem(messageOf(error)),
    );
  };
  const save = (): void => {
    if (draft?.trim()) tell(api.editPrompt(session, prompt.id, { content: withText(prompt.content, draft) }));
  };
  const leave = onEscape(() => setDraft(undefined));
  const onKeyDown = (event: KeyboardEvent): void => {
    leave(event);
    if (!isSendKey(event)) return;
    event.preventDefault();
    save();
  };
  if (draft !== undefined) {
    return (
      <li className="queued">
        <form
          className="queued-edit"
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <textarea
            className="field"
            aria-label="Waiting prompt"
            dir="auto"
            rows={1}
            autoFocus
            value={draft}
            onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <button type="submit" className="button">
            Save
          </button>
        </form>
      </li>
    );
  }
  return (
    <li className="queued">
      <span className="queued-text" dir="auto">
        {wordsOf(prompt.content)}
      </span>
      {problem === '' ? (
        <span className="faint small">{prompt.state === 'waiting' ? why : 'on its way'}</span>
      ) : (
        <span className="problem">{problem}</span>
      )}
      {mayDrive && prompt.state === 'waiting' && (
        <>
          <button
            type="button"
            className="icon-button"
            aria-label="Change this prompt"
            autoFocus={wasOpen}
            onClick={() => {
              setWasOpen(true);
              setDraft(textIn(blocksIn(prompt)));
            }}
          >
            <PencilIcon />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label="Cancel this prompt"
            onClick={() => tell(api.cancelPrompt(session, prompt.id))}
          >
            <CloseIcon />
          </button>
        </>
      )}
    </li>
  );
}

function wordsOf(content: PromptContent): string {
  const blocks = blocksIn({ content });
  const images = imagesIn(blocks).length;
  return [textIn(blocks), images > 0 ? `[${images} images]` : ''].filter(Boolean).join(' ');
}

/** The same content with other words: its images stay. */
function withText(content: PromptContent, text: string): PromptContent {
  if (typeof content === 'string') return text;
  return [...content.filter(({ type }) => type !== 'text'), { type: 'text', text }];
}
