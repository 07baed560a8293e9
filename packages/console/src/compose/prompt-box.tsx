import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { PromptContent, PromptDelivery, SessionState } from 'signalbox/hub';
import type { SlashCommand } from '../model/slash-commands.ts';
import { ImageIcon, SendIcon, StopIcon } from '../parts/icons.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { contentOf, MAX_IMAGES, readImages } from './attachments.ts';
import { useCompletion } from './completion.tsx';
import { before, changeDraft, useDraft } from './drafts.ts';
import { isSendKey } from './send-key.ts';

/** What Esc closes, and does nothing else. */
const IN_FRONT = 'dialog[open], :popover-open';

export function PromptBox({
  session,
  activity,
  commands,
  onSend,
  onInterrupt,
}: {
  session: string;
  activity: SessionState;
  /** What can be called with a slash. */
  commands: readonly SlashCommand[];
  /** Settles with whether the hub took it. */
  onSend: (content: PromptContent, delivery: PromptDelivery) => Promise<boolean>;
  onInterrupt: () => void;
}) {
  const draft = useDraft(session);
  const { text, images } = draft;
  const [problem, setProblem] = useState('');
  const write = (words: string): void => changeDraft(session, (now) => ({ ...now, text: words }));
  const completion = useCompletion(text, commands, write);
  const picker = useRef<HTMLInputElement>(null);
  const isRunning = activity === 'active' || activity === 'asking';
  const isEmpty = text.trim() === '' && images.length === 0;

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
    changeDraft(session, () => ({ text: '', images: [] }));
    const isTaken = await onSend(contentOf({ text: text.trim(), images }), delivery);
    if (!isTaken) changeDraft(session, (later) => before(draft, later));
  };

  const attach = async (files: Iterable<File>): Promise<void> => {
    const read = await readImages(files, MAX_IMAGES - images.length);
    setProblem(read.problem);
    changeDraft(session, (now) => ({ ...now, images: [...now.images, ...read.images] }));
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (completion.onKey(event)) return;
    if (!isSendKey(event)) return;
    event.preventDefault();
    void send(event.metaKey || event.ctrlKey ? 'steer' : 'queue');
  };

  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    void attach(files);
  };

  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    void attach(event.dataTransfer.files);
  };

  return (
    <div className="prompt-box" onDrop={onDrop} onDragOver={(event) => event.preventDefault()}>
      <AttachmentList
        images={images}
        onLeaveOut={(id) => {
          changeDraft(session, (now) => ({ ...now, images: now.images.filter((image) => image.id !== id) }));
        }}
      />
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {completion.list}
      <textarea
        aria-label="Prompt"
        dir="auto"
        rows={1}
        placeholder={isRunning ? 'Say what comes next' : 'Say what to do'}
        value={text}
        {...completion.attributes}
        onChange={({ target }) => write(target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="prompt-buttons">
        <button
          type="button"
          className="icon-button"
          aria-label="Attach images"
          onClick={() => picker.current?.click()}
        >
          <ImageIcon />
        </button>
        <input
          ref={picker}
          type="file"
          hidden
          multiple
          accept="image/png,image/jpeg,image/gif,image/webp"
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
            title="Into the turn that runs (Ctrl+Enter)"
            onClick={() => void send('steer')}
          >
            Steer
          </button>
        )}
        {isRunning && (
          <button type="button" className="button" title="Esc" onClick={onInterrupt}>
            <StopIcon /> Interrupt
          </button>
        )}
        <button
          type="button"
          className="button primary send"
          disabled={isEmpty}
          title={isRunning ? 'When this turn is over (Enter)' : 'Enter'}
          onClick={() => void send('queue')}
        >
          <SendIcon /> {isRunning ? 'Queue' : 'Send'}
        </button>
      </div>
    </div>
  );
}
