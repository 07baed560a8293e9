import { byteWords, messageOf } from '@signalbox/protocol';
import { useCallback, useState } from 'react';
import type { Storage } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { useReading } from '../shell/use-reading.ts';
import { KEPT } from './kept.ts';
import { LimitsDialog } from './limits-dialog.tsx';
import { saveBackup } from './save-backup.ts';

/** What the data of the hub takes, for how long it is kept, and a copy of it. */
export default function StoragePage() {
  const { api } = useHub();
  const { value: storage, problem, look } = useReading(useCallback(() => api.ask('GET /api/storage'), [api]));
  const [unsaved, setUnsaved] = useState('');
  const [isSaving, setSaving] = useState(false);
  const save = (): void => {
    setSaving(true);
    setUnsaved('');
    saveBackup(api)
      .catch((error: unknown) => setUnsaved(messageOf(error)))
      .finally(() => setSaving(false));
  };
  return (
    <PageFrame title="Storage">
      {storage && <StorageFacts storage={storage} onChange={look} />}
      <section className="nearby" aria-label="Backup">
        <p className="faint">
          A backup has all that was said in every session. signalbox restore puts it back.
        </p>
        <button type="button" className="button quiet" disabled={isSaving} onClick={save}>
          {isSaving ? 'Copying …' : 'Download a backup'}
        </button>
        {(problem || unsaved) !== '' && (
          <p className="problem" role="alert">
            {problem || unsaved}
          </p>
        )}
      </section>
    </PageFrame>
  );
}

function StorageFacts({ storage, onChange }: { storage: Storage; onChange: () => Promise<void> }) {
  const { usedBytes, fileBytes, retention, lastSweep } = storage;
  const [isOpen, setOpen] = useState(false);
  const kept = KEPT.flatMap(([name, what]) =>
    retention[name] === undefined ? [] : [`${what}: ${String(retention[name])} days`],
  );
  const { databaseMiB } = retention;
  return (
    <section className="nearby" aria-label="What it takes">
      <p>
        {byteWords(usedBytes)} in use{databaseMiB === undefined ? '' : ` of ${databaseMiB} MiB`},{' '}
        {byteWords(fileBytes)} on the disk.
      </p>
      {lastSweep?.isOverLimit && (
        <p className="problem">It is more than its limit, and there is nothing left that may go.</p>
      )}
      {kept.length === 0 ? (
        <p className="faint">Everything is kept for good.</p>
      ) : (
        <ul>
          {kept.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      <button type="button" className="button quiet" onClick={() => setOpen(true)}>
        Change …
      </button>
      {isOpen && <LimitsDialog limits={retention} onDone={onChange} onClose={() => setOpen(false)} />}
    </section>
  );
}
