import { PageFrame } from '../shell/page-frame.tsx';
import { NearbyRelays } from './nearby-relays.tsx';

/** Agents of other programs on the hub's machine. */
export default function RelaysPage() {
  return (
    <PageFrame title="Relays nearby">
      <p className="faint">
        Other programs on the hub’s machine that agents have dialled: you can take part in what they do.
      </p>
      <NearbyRelays />
    </PageFrame>
  );
}
