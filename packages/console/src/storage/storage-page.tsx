import { useCallback, useState } from 'react';
import type { Storage } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { useReading } from '../shell/use-reading.ts';
import { t } from '../words/t.ts';
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
      .catch((error: unknown) => setUnsaved(problemWords(error)))
      .finally(() => setSaving(false));
  };
  return (
    <PageFrame title={t.storage.title}>
      {storage && <StorageFacts storage={storage} onChange={look} />}
      <section className="nearby" aria-label={t.storage.backup}>
        <p className="faint">{t.storage.backupAbout}</p>
        <button type="button" className="button quiet" disabled={isSaving} onClick={save}>
          {isSaving ? t.storage.copying : t.storage.download}
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
    retention[name] === undefined ? [] : [t.storage.days(what, String(retention[name]))],
  );
  const { databaseMiB } = retention;
  return (
    <section className="nearby" aria-label={t.storage.takes}>
      <p>{t.storage.inUse(t.states.bytes(usedBytes), databaseMiB, t.states.bytes(fileBytes))}</p>
      {lastSweep?.isOverLimit && <p className="problem">{t.storage.overLimit}</p>}
      {kept.length === 0 ? (
        <p className="faint">{t.storage.forGood}</p>
      ) : (
        <ul>
          {kept.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      <button type="button" className="button quiet" onClick={() => setOpen(true)}>
        {t.common.changeAsk}
      </button>
      {isOpen && <LimitsDialog limits={retention} onDone={onChange} onClose={() => setOpen(false)} />}
    </section>
  );
}
