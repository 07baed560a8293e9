import { PageFrame } from '../shell/page-frame.tsx';
import { t } from '../words/t.ts';
import { NearbyRelays } from './nearby-relays.tsx';

/** Agents of other programs on the hub's machine. */
export default function RelaysPage() {
  return (
    <PageFrame title={t.sessions.relays}>
      <p className="faint">{t.sessions.relaysAbout}</p>
      <NearbyRelays />
    </PageFrame>
  );
}
