import { useState } from 'react';
import type { ChangedFile } from 'signalbox/hub';
import { t } from '../words/t.ts';
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
        aria-label={t.changes.message}
        placeholder={staged === 0 ? t.changes.chooseFirst : t.changes.messageHint}
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
            {t.changes.chooseAll}
          </button>
        )}
        <button
          type="submit"
          className="button primary"
          title={t.changes.commitTitle}
          disabled={isBusy || staged === 0 || message.trim() === ''}
        >
          {t.changes.commit(staged)}
        </button>
      </div>
    </form>
  );
}
