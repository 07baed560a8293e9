import { type KeyboardEvent, useEffect, useState } from 'react';
import type { Prompt, PromptContent, SessionState } from 'signalbox/hub';
import type { SentPrompt } from '../live/outbox.ts';
import { fileIn } from '../model/attached-file.ts';
import { authorName } from '../model/author-name.ts';
import { blocksIn, imagesIn, promptIn } from '../model/content.ts';
import { problemWords } from '../model/problem-words.ts';
import { onEscape } from '../parts/escape.ts';
import { CloseIcon, DownIcon, PencilIcon, UpIcon } from '../parts/icons.tsx';
import { useHub, useHubView } from '../shell/hub-context.ts';
import { useMayDrive } from '../shell/scope.ts';
import { Sentence } from '../words/sentence.tsx';
import { t } from '../words/t.ts';
import { isSendKey } from './send-key.ts';

/** What somebody makes of a prompt that waits, and what it was when they began. */
interface Change {
  words: string;
  was: string;
}

/** Prompts that wait for the agent; as long as they do, they can be changed. */
export function Queue({
  session,
  prompts,
  sending,
  activity,
  onOvertaken,
}: {
  session: string;
  prompts: readonly Prompt[];
  /** What the hub has not confirmed: it will wait there as well. */
  sending: readonly SentPrompt[];
  activity: SessionState;
  /** A prompt went away while somebody changed it; these are their words. */
  onOvertaken: (words: string) => void;
}) {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Change>>>({});
  const setDraft = (id: string, words: string | undefined): void =>
    setDrafts(({ [id]: known, ...others }) =>
      words === undefined ? others : { ...others, [id]: { words, was: known?.was ?? words } },
    );
  useEffect(() => {
    for (const [id, { words, was }] of Object.entries(drafts)) {
      if (prompts.some((prompt) => prompt.id === id && prompt.state === 'waiting')) continue;
      setDraft(id, undefined);
      if (words.trim() !== '' && words !== was) onOvertaken(words);
    }
  }, [prompts, drafts, onOvertaken]);
  const known = new Set(prompts.map(({ clientId }) => clientId));
  const unsent = sending.filter(({ clientId }) => !known.has(clientId));
  if (prompts.length === 0 && unsent.length === 0) return null;
  const isAway = activity === 'exited' || activity === 'disconnected';
  return (
    <ul className="queue" aria-label={t.compose.waiting}>
      {prompts.map((prompt, at) => (
        <Waiting
          key={prompt.id}
          session={session}
          prompt={prompt}
          moves={movesOf(prompts, at)}
          draft={drafts[prompt.id]?.words}
          onDraft={(words) => setDraft(prompt.id, words)}
          why={isAway ? t.compose.waitsForAgent : t.compose.waits}
        />
      ))}
      {unsent.map(({ clientId, content }) => (
        <li key={clientId} className="queued">
          <span className="queued-text" dir="auto">
            {wordsOf(content)}
          </span>
          <span className="faint small">{t.compose.sendingNow}</span>
        </li>
      ))}
    </ul>
  );
}

function Waiting({
  session,
  prompt,
  moves,
  draft,
  onDraft: setDraft,
  why,
}: {
  session: string;
  prompt: Prompt;
  /** Where it can go. */
  moves: Moves;
  /** What somebody makes of it; undefined while nobody changes it. */
  draft: string | undefined;
  onDraft: (words: string | undefined) => void;
  why: string;
}) {
  const { api } = useHub();
  const person = useHubView().device?.person;
  const mayDrive = useMayDrive();
  const { author } = prompt;
  /** Whose it is, where that is somebody else. */
  const owner = author.by === 'person' && author.name === person ? undefined : authorName(author);
  /** What of another person's prompt somebody is about to do. */
  const [asked, setAsked] = useState<'change' | 'cancel'>();
  /** Who has changed it, or left it as it is, goes on from where they came. */
  const [wasOpen, setWasOpen] = useState(false);
  const [problem, setProblem] = useState('');
  const tell = (work: Promise<unknown>): void => {
    work.then(
      () => setDraft(undefined),
      (error: unknown) => setProblem(problemWords(error)),
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
  const change = (): void => {
    setWasOpen(true);
    setDraft(promptIn(blocksIn(prompt)).text);
  };
  const cancel = (): void => tell(api.cancelPrompt(session, prompt.id));
  const move = (before: string | null): void => tell(api.editPrompt(session, prompt.id, { before }));
  if (asked && owner !== undefined && prompt.state === 'waiting') {
    const act = { change, cancel }[asked];
    return (
      <li className="queued queued-asked">
        <span className="queued-text">
          <Sentence of={(asked === 'cancel' ? t.compose.cancelOf : t.compose.changeOf)(<bdi>{owner}</bdi>)} />
        </span>
        <button
          type="button"
          className={asked === 'cancel' ? 'button danger' : 'button'}
          onClick={() => {
            setAsked(undefined);
            act();
          }}
        >
          {asked === 'cancel' ? t.compose.cancelIt : t.compose.changeIt}
        </button>
        <button type="button" className="button quiet" autoFocus onClick={() => setAsked(undefined)}>
          {t.compose.leaveIt}
        </button>
      </li>
    );
  }
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
            aria-label={t.compose.waitingPrompt}
            dir="auto"
            rows={1}
            autoFocus
            value={draft}
            onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <button type="submit" className="button">
            {t.compose.save}
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={t.compose.leaveAsWas}
            onClick={() => setDraft(undefined)}
          >
            <CloseIcon />
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
        <span className="faint small">
          {owner !== undefined && (
            <>
              <bdi>{owner}</bdi>,{' '}
            </>
          )}
          {prompt.state === 'waiting' ? why : t.compose.onItsWay}
        </span>
      ) : (
        <span className="problem">{problem}</span>
      )}
      {mayDrive && prompt.state === 'waiting' && (
        <>
          {moves.up !== undefined && (
            <button
              type="button"
              className="icon-button"
              aria-label={t.compose.moveUp}
              onClick={() => move(moves.up ?? null)}
            >
              <UpIcon />
            </button>
          )}
          {moves.down !== undefined && (
            <button
              type="button"
              className="icon-button"
              aria-label={t.compose.moveDown}
              onClick={() => move(moves.down ?? null)}
            >
              <DownIcon />
            </button>
          )}
          <button
            type="button"
            className="icon-button"
            aria-label={t.compose.changePrompt}
            autoFocus={wasOpen}
            onClick={() => (owner === undefined ? change() : setAsked('change'))}
          >
            <PencilIcon />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={t.compose.cancelPrompt}
            onClick={() => (owner === undefined ? cancel() : setAsked('cancel'))}
          >
            <CloseIcon />
          </button>
        </>
      )}
    </li>
  );
}

/** The prompt that another one goes before when it moves: null is behind all, and undefined where it cannot move. */
interface Moves {
  up: string | undefined;
  down: string | null | undefined;
}

/** Only those that wait change places: what is on its way is the next. */
function movesOf(prompts: readonly Prompt[], at: number): Moves {
  const [previous, next, afterNext] = [prompts[at - 1], prompts[at + 1], prompts[at + 2]];
  return {
    up: previous?.state === 'waiting' ? previous.id : undefined,
    down: next === undefined ? undefined : (afterNext?.id ?? null),
  };
}

function wordsOf(content: PromptContent): string {
  const blocks = blocksIn({ content });
  const images = imagesIn(blocks).length;
  const { text, files } = promptIn(blocks);
  const names = files.map(({ name }) => `[${name}]`);
  return [text, images > 0 ? t.compose.images(images) : '', ...names].filter(Boolean).join(' ');
}

/** The same content with other words: its images and files stay. */
function withText(content: PromptContent, text: string): PromptContent {
  if (typeof content === 'string') return text;
  return [...content.filter((block) => block.type !== 'text' || fileIn(block)), { type: 'text', text }];
}
