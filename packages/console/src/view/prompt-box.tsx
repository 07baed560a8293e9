import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { PromptContent, PromptDelivery, SessionState } from 'signalbox/hub';
import { type Attachment, contentOf, MAX_IMAGES, readImages } from './attachments.ts';
import { CloseIcon, ImageIcon, SendIcon, StopIcon } from './icons.tsx';

/** What was written and not sent, by session: it is there when a reader comes back. */
const drafts = new Map<string, string>();

export function PromptBox({
  session,
  activity,
  onSend,
  onInterrupt,
}: {
  session: string;
  activity: SessionState;
  /** Settles with whether the hub took it. */
  onSend: (content: PromptContent, delivery: PromptDelivery) => Promise<boolean>;
  onInterrupt: () => void;
}) {
  const [text, setText] = useState(() => drafts.get(session) ?? '');
  const [images, setImages] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState('');
  const picker = useRef<HTMLInputElement>(null);
  const isRunning = activity === 'active' || activity === 'asking';
  const isEmpty = text.trim() === '' && images.length === 0;

  useEffect(() => {
    drafts.set(session, text);
  }, [session, text]);

  useEffect(() => {
    if (!isRunning) return undefined;
    const onKey = (event: globalThis.KeyboardEvent): void => {
      const isTaken = event.defaultPrevented || document.querySelector('dialog[open]') !== null;
      if (event.key === 'Escape' && !isTaken) onInterrupt();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isRunning, onInterrupt]);

  const send = async (delivery: PromptDelivery): Promise<void> => {
    if (isEmpty) return;
    const sent = { text, images };
    setText('');
    setImages([]);
    const isTaken = await onSend(contentOf(text.trim(), images), delivery);
    if (isTaken) return;
    setText((later) => later || sent.text);
    setImages((later) => (later.length > 0 ? later : sent.images));
  };

  const attach = async (files: Iterable<File>): Promise<void> => {
    const read = await readImages(files, MAX_IMAGES - images.length);
    setProblem(read.problem);
    setImages((all) => [...all, ...read.images]);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    // An input method ends a word with Enter as well.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
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
      {images.length > 0 && (
        <ul className="attachments">
          {images.map(({ id, name, mediaType, data }) => (
            <li key={id}>
              <img src={`data:${mediaType};base64,${data}`} alt={name} />
              <button
                type="button"
                className="icon-button"
                aria-label={`Leave out ${name}`}
                onClick={() => setImages((all) => all.filter((image) => image.id !== id))}
              >
                <CloseIcon />
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <textarea
        aria-label="Prompt"
        rows={1}
        placeholder={isRunning ? 'Say what comes next' : 'Say what to do'}
        value={text}
        onChange={(event) => setText(event.target.value)}
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
          onChange={(event) => {
            void attach(event.target.files ?? []);
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
