import { NearbyRelays } from '../sessions/nearby-relays.tsx';
import { LeftWorktrees } from '../worktrees/left-worktrees.tsx';

/** What else may be on the hub's machine: left worktrees, and relays of others. */
export default function AlsoHere() {
  return (
    <>
      <LeftWorktrees />
      <NearbyRelays />
    </>
  );
}
