import { type KeyboardEvent, useCallback, useRef, useState } from 'react';
import type { SavedPrompt } from 'signalbox/hub';
import { findCommands } from '../model/find-commands.ts';
import { problemWords } from '../model/problem-words.ts';
import { DialogFrame } from '../parts/dialog-frame.tsx';
import { CloseIcon } from '../parts/icons.tsx';
import { useHub } from '../shell/hub-context.ts';
import { useReading } from '../shell/use-reading.ts';
import { t } from '../words/t.ts';
import { sentPrompts } from './sent-prompts.ts';

/** So many of the prompts that were sent from this browser. */
const SHOWN_SENT = 20;

/** The prompts that this hub keeps, and the last ones that were sent: found by their words, and put into the box. */
export default function SavedPromptsDialog({
  text,
  onTake,
  onClose,
}: {
  /** What is in the box, which can be kept. */
  text: string;
  onTake: (text: string) => void;
  onClose: () => void;
}) {
  const { api } = useHub();
  const dialog = useRef<HTMLDialogElement>(null);
  const {
    value: saved = [],
    problem: trouble,
    look,
  } = useReading(useCallback(() => api.savedPrompts(), [api]));
  const [problem, setProblem] = useState('');
  const [words, setWords] = useState('');
  const [name, setName] = useState('');
  const [sent] = useState(sentPrompts);

  const kept = findCommands(
    saved.map((prompt) => ({ ...prompt, title: prompt.name, words: prompt.text })),
    words,
  );
  const recent = findCommands(
    sent.map((prompt) => ({ ...prompt, title: prompt.text })),
    words,
  ).slice(0, SHOWN_SENT);

  const take = (taken: string): void => {
    dialog.current?.close();
    onTake(taken);
  };
  const tell = (work: Promise<unknown>): void => {
    setProblem('');
    work.then(look, (error: unknown) => setProblem(problemWords(error)));
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const first = kept[0] ?? recent[0];
    if (first) take(first.text);
  };
  return (
    <DialogFrame ref={dialog} title={t.compose.savedTitle} className="saved-prompts" onClose={onClose}>
      <input
        type="search"
        className="field"
        aria-label={t.compose.findPrompt}
        placeholder={t.compose.findPromptHint}
        dir="auto"
        autoFocus
        value={words}
        onKeyDown={onKey}
        onChange={({ target }) => setWords(target.value)}
      />
      {(problem || trouble) !== '' && (
        <p className="problem" role="alert">
          {problem || trouble}
        </p>
      )}
      {text.trim() !== '' && (
        <form
          className="save-prompt"
          onSubmit={(event) => {
            event.preventDefault();
            tell(api.savePrompt(name.trim(), text.trim()).then(() => setName('')));
          }}
        >
          <label>
            {t.compose.keepAs}
            <input
              className="field"
              dir="auto"
              required
              maxLength={80}
              pattern=".*\S.*"
              placeholder={t.compose.aName}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          </label>
          <button type="submit" className="button">
            {saved.some((prompt) => prompt.name === name.trim()) ? t.compose.replace : t.compose.keep}
          </button>
        </form>
      )}
      <section>
        <h3>{t.compose.saved}</h3>
        {kept.length === 0 && (
          <p className="faint small">{saved.length === 0 ? t.compose.noneSaved : t.compose.noneFound}</p>
        )}
        <ul className="prompt-list">
          {kept.map((prompt) => (
            <Saved
              key={prompt.name}
              prompt={prompt}
              onTake={take}
              onRemove={() => tell(api.removeSavedPrompt(prompt.name))}
            />
          ))}
        </ul>
      </section>
      {recent.length > 0 && (
        <section>
          <h3>{t.compose.sentFromHere}</h3>
          <ul className="prompt-list">
            {recent.map((prompt) => (
              <li key={prompt.text}>
                <button type="button" className="prompt-choice" onClick={() => take(prompt.text)}>
                  <span dir="auto">{prompt.text}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </DialogFrame>
  );
}

function Saved({
  prompt: { name, text },
  onTake,
  onRemove,
}: {
  prompt: SavedPrompt;
  onTake: (text: string) => void;
  onRemove: () => void;
}) {
  const [isAsked, setAsked] = useState(false);
  return (
    <li>
      <button type="button" className="prompt-choice" onClick={() => onTake(text)}>
        <b dir="auto">{name}</b>{' '}
        <span className="faint small" dir="auto">
          {text}
        </span>
      </button>
      {isAsked ? (
        <button
          type="button"
          className="button danger"
          onClick={onRemove}
          onBlur={() => setAsked(false)}
          autoFocus
        >
          {t.compose.removeIt}
        </button>
      ) : (
        <button
          type="button"
          className="icon-button"
          aria-label={t.compose.removeSaved(name)}
          onClick={() => setAsked(true)}
        >
          <CloseIcon />
        </button>
      )}
    </li>
  );
}
