import type { HubNodes } from '@signalbox/protocol/hub';
import type { PeerProof } from '../bridge/peer-proof.ts';

/** What a hub knows of being one of several nodes that share a database. */
export interface HubNode {
  id: string;
  /** What nodes prove themselves by to each other. */
  secret: string;
  /** And to whoever dials them. */
  proof: PeerProof;
  /** What browsers know all nodes by: a part of the name of their cookie. */
  cookie: string;
  /** All nodes and their database, while this one leads. */
  look: () => Promise<HubNodes>;
}
