import { useState } from 'react';
import type { ChangedFile } from 'signalbox/hub';
import type { FileActs } from './use-file-acts.ts';

/** Commits what is staged. */
export function CommitBar({
  files,
  acts,
  isBusy,
}: {
  files: readonly ChangedFile[];
  acts: FileActs;
  isBusy: boolean;
}) {
  const [message, setMessage] = useState('');
  const staged = files.filter((file) => file.staged !== 'none').length;
  const rest = files.filter((file) => file.staged !== 'all' && file.kind !== 'conflicted');
  const commit = async (): Promise<void> => {
    if (await acts.commit(message)) setMessage('');
  };
  return (
    <form
      className="commit-bar"
      onSubmit={(event) => {
        event.preventDefault();
        void commit();
      }}
    >
      <textarea
        className="field"
        rows={message.includes('\n') ? 3 : 1}
        aria-label="Commit message"
        placeholder={staged === 0 ? 'Choose files, then say what you commit' : 'What do you commit?'}
        value={message}
        onChange={({ target }) => setMessage(target.value)}
      />
      <div className="buttons">
        {rest.length > 0 && (
          <button
            type="button"
            className="button quiet"
            disabled={isBusy}
            onClick={() => void acts.stage(rest.map(({ path }) => path))}
          >
            Choose all
          </button>
        )}
        <button
          type="submit"
          className="button primary"
          title="Hooks of the repository are not run, and nothing is pushed"
          disabled={isBusy || staged === 0 || message.trim() === ''}
        >
          {staged === 1 ? 'Commit 1 file' : `Commit ${staged} files`}
        </button>
      </div>
    </form>
  );
}
