import { byteWords, messageOf } from '@signalbox/protocol';
import { useEffect, useState } from 'react';
import type { RetentionLimits, Storage } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { saveBackup } from './save-backup.ts';

const KEPT: readonly [name: keyof RetentionLimits, what: string][] = [
  ['eventDays', 'What was said'],
  ['promptDays', 'Prompts'],
  ['permissionDays', 'Answered questions'],
  ['auditDays', 'The audit log'],
  ['deviceDays', 'Devices that were signed out'],
  ['terminalDays', 'Terminals that have ended'],
];

/** What the data of the hub takes, for how long it is kept, and a copy of it. */
export default function StoragePage() {
  const { api } = useHub();
  const [storage, setStorage] = useState<Storage>();
  const [problem, setProblem] = useState('');
  const [isSaving, setSaving] = useState(false);
  useEffect(() => {
    api.ask('GET /api/storage').then(setStorage, (error: unknown) => setProblem(messageOf(error)));
  }, [api]);
  const save = (): void => {
    setSaving(true);
    setProblem('');
    saveBackup(api)
      .catch((error: unknown) => setProblem(messageOf(error)))
      .finally(() => setSaving(false));
  };
  return (
    <PageFrame title="Storage">
      {storage && <StorageFacts storage={storage} />}
      <section className="nearby" aria-label="Backup">
        <p className="faint">
          A backup has all that was said in every session. signalbox restore puts it back.
        </p>
        <button type="button" className="button quiet" disabled={isSaving} onClick={save}>
          {isSaving ? 'Copying …' : 'Download a backup'}
        </button>
        {problem !== '' && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
      </section>
    </PageFrame>
  );
}

function StorageFacts({ storage: { usedBytes, fileBytes, retention, lastSweep } }: { storage: Storage }) {
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
    </section>
  );
}
