import { useCallback, useState } from 'react';
import type { KnownDevice } from 'signalbox/hub';
import { everyPage } from 'signalbox/hub';
import { deviceGroups, deviceWords } from '../model/known-devices.ts';
import { Disclosure } from '../parts/disclosure.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useNow } from '../parts/use-now.ts';
import { useHub, useHubView } from '../shell/hub-context.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { useReading } from '../shell/use-reading.ts';
import { t } from '../words/t.ts';
import { LinkForm } from './link-form.tsx';

const CLOCK_MS = 30_000;

/** Who is signed in as a person, and the way to sign one out. */
export default function DevicesPage() {
  const { api } = useHub();
  const { device: own } = useHubView();
  const now = useNow(CLOCK_MS);
  const [leaving, setLeaving] = useState<KnownDevice>();
  const read = useCallback(async () => {
    const devices: KnownDevice[] = [];
    for await (const page of everyPage((from) => api.devices(from))) devices.push(...page);
    return devices;
  }, [api]);
  const { value: devices, problem, look } = useReading(read);
  const { signedIn, signedOut } = deviceGroups(devices ?? [], now);
  const row = (device: KnownDevice, acts?: React.ReactNode) => (
    <li key={device.id} className="detail-row">
      <div className="detail-head">
        <span className="detail-name">
          {device.name}
          {device.id === own?.id && <span className="new-badge">{t.devices.thisBrowser}</span>}
        </span>
        <span className="faint small">{deviceWords(device, now)}</span>
        {acts && <span className="detail-acts">{acts}</span>}
      </div>
    </li>
  );
  return (
    <PageFrame title={t.devices.title}>
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <LinkForm />
      {devices && (
        <ul className="board-rows" aria-label={t.devices.signedIn}>
          {signedIn.map((device) =>
            row(
              device,
              device.id !== own?.id && (
                <button
                  type="button"
                  className="button"
                  aria-label={t.devices.signOutOf(device.name)}
                  onClick={() => setLeaving(device)}
                >
                  {t.devices.signOutAsk}
                </button>
              ),
            ),
          )}
        </ul>
      )}
      {signedOut.length > 0 && (
        <Disclosure summary={<span className="small">{t.devices.countSignedOut(signedOut.length)}</span>}>
          <ul className="board-rows" aria-label={t.devices.signedOut}>
            {signedOut.map((device) => row(device))}
          </ul>
        </Disclosure>
      )}
      {leaving && (
        <FormDialog
          title={t.devices.signOutQuestion(leaving.name)}
          action={[t.devices.signOut, t.devices.signingOut]}
          tone="danger"
          onSubmit={async () => {
            await api.revokeDevice(leaving.id);
            await look();
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>{t.devices.signOutAbout}</p>
        </FormDialog>
      )}
    </PageFrame>
  );
}
