import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  lazy,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { PromptContent, PromptDelivery, SessionState } from 'signalbox/hub';
import { before, contentOf, EMPTY } from '../model/draft.ts';
import type { ItemGroup } from '../model/item.ts';
import type { SlashCommand } from '../model/slash-commands.ts';
import { useCommands } from '../palette/commands.ts';
import { BookmarkIcon, ImageIcon, SendIcon, StopIcon } from '../parts/icons.tsx';
import { LoadedDialog } from '../parts/loaded-dialog.tsx';
import { useMayFork } from '../shell/scope.ts';
import { t } from '../words/t.ts';
import { AttachmentList } from './attachment-list.tsx';
import { readAttachments } from './attachments.ts';
import { useCompletion } from './completion.tsx';
import { changeDraft, useDraft } from './drafts.ts';
import { isSendKey } from './send-key.ts';
import { noteSent } from './sent-prompts.ts';
import { useHistory } from './use-history.ts';

/** Loaded when it is first opened. */
const SavedPromptsDialog = lazy(() => import('./saved-prompts-dialog.tsx'));

/** What Esc closes, and does nothing else. */
const IN_FRONT = 'dialog[open], :popover-open';

export function PromptBox({
  session,
  activity,
  commands,
  groups,
  onSend,
  onInterrupt,
}: {
  session: string;
  activity: SessionState;
  /** What can be called with a slash. */
  commands: readonly SlashCommand[];
  /** What was said, for those who say it again. */
  groups: readonly ItemGroup[];
  /** Settles with whether the hub took it. */
  onSend: (content: PromptContent, delivery: PromptDelivery) => Promise<boolean>;
  onInterrupt: () => void;
}) {
  const draft = useDraft(session);
  const { text, images, files } = draft;
  const [problem, setProblem] = useState('');
  const write = (words: string): void => changeDraft(session, (now) => ({ ...now, text: words }));
  const field = useRef<HTMLTextAreaElement>(null);
  const completion = useCompletion({ session, field, text, commands, onTake: write });
  const goBack = useHistory(session, groups, write);
  const [isChoosing, setChoosing] = useState(false);
  // What is kept is for the agents of all sessions.
  const mayKeep = useMayFork();
  useCommands(
    mayKeep
      ? [
          {
            title: t.compose.prompts,
            words: t.compose.promptsWords,
            group: 'session',
            run: () => setChoosing(true),
          },
        ]
      : [],
  );
  const stopChoosing = (): void => setChoosing(false);
  const picker = useRef<HTMLInputElement>(null);
  const isRunning = activity === 'active' || activity === 'asking';
  const isEmpty = text.trim() === '' && images.length === 0 && files.length === 0;

  useEffect(() => {
    if (!isRunning) return undefined;
    const onKey = (event: globalThis.KeyboardEvent): void => {
      const isTaken = event.defaultPrevented || event.isComposing;
      if (event.key === 'Escape' && !isTaken && !document.querySelector(IN_FRONT)) onInterrupt();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isRunning, onInterrupt]);

  const send = async (delivery: PromptDelivery): Promise<void> => {
    if (isEmpty) return;
    setProblem('');
    changeDraft(session, () => EMPTY);
    noteSent(session, text.trim());
    const isTaken = await onSend(contentOf({ ...draft, text: text.trim() }), delivery);
    if (!isTaken) changeDraft(session, (later) => before(draft, later));
  };

  const attach = async (chosen: Iterable<File>): Promise<void> => {
    const read = await readAttachments(chosen, draft);
    setProblem(read.problem);
    changeDraft(session, (now) => before(now, { ...read, text: '' }));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (completion.onKey(event) || goBack(event)) return;
    if (!isSendKey(event)) return;
    event.preventDefault();
    void send(event.metaKey || event.ctrlKey ? 'steer' : 'queue');
  };

  const onPaste = (event: ClipboardEvent): void => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    void attach(pasted);
  };

  const onDrop = (event: DragEvent): void => {
    // Words that are dragged into the box are for the browser to put there.
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void attach(event.dataTransfer.files);
  };

  return (
    <div
      className="prompt-box"
      onDrop={onDrop}
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
    >
      <AttachmentList
        images={images}
        files={files}
        onLeaveOut={(id) =>
          changeDraft(session, (now) => ({
            ...now,
            images: now.images.filter((image) => image.id !== id),
            files: now.files.filter((file) => file.id !== id),
          }))
        }
      />
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {completion.list}
      <textarea
        ref={field}
        aria-label={t.compose.prompt}
        dir="auto"
        rows={1}
        placeholder={isRunning ? t.compose.sayNext : t.compose.sayWhat}
        value={text}
        {...completion.attributes}
        onChange={({ target }) => {
          write(target.value);
          completion.onCaret();
        }}
        onSelect={completion.onCaret}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="prompt-buttons">
        <span className="box-tools">
          <button
            type="button"
            className="icon-button"
            aria-label={t.compose.attach}
            onClick={() => picker.current?.click()}
          >
            <ImageIcon />
          </button>
          {mayKeep && (
            <button
              type="button"
              className="icon-button"
              aria-label={t.compose.prompts}
              onClick={() => setChoosing(true)}
            >
              <BookmarkIcon />
            </button>
          )}
        </span>
        <input
          ref={picker}
          type="file"
          hidden
          multiple
          onChange={({ target }) => {
            void attach([...(target.files ?? [])]);
            // Else the same picture could not be picked again.
            target.value = '';
          }}
        />
        {isRunning && !isEmpty && (
          <button
            type="button"
            className="button"
            title={t.compose.steerTitle}
            onClick={() => void send('steer')}
          >
            {t.compose.steer}
          </button>
        )}
        {isRunning && (
          <button type="button" className="button" title="Esc" onClick={onInterrupt}>
            <StopIcon /> {t.compose.interrupt}
          </button>
        )}
        <button
          type="button"
          className="button primary send"
          disabled={isEmpty}
          title={isRunning ? t.compose.queueTitle : 'Enter'}
          onClick={() => void send('queue')}
        >
          <SendIcon /> {isRunning ? t.compose.queue : t.compose.send}
        </button>
      </div>
      {isChoosing && (
        <LoadedDialog onClose={stopChoosing}>
          <SavedPromptsDialog
            text={text}
            onTake={(taken) => {
              changeDraft(session, (now) => before(now, { ...EMPTY, text: taken }));
              field.current?.focus();
            }}
            onClose={stopChoosing}
          />
        </LoadedDialog>
      )}
    </div>
  );
}
