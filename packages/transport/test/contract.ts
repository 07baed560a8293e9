import type { SeededRandom } from '@signalbox/testing/seeded-random';
import { afterEach, beforeEach, describe } from 'vitest';
import type { Transport } from '../src/transport.ts';
import { describeClosing } from './contract-closing.ts';
import { describeConversations } from './contract-conversations.ts';
import { describeDrops } from './contract-drops.ts';
import { describeLines } from './contract-lines.ts';

/** Two transports that are each other's other side. An end in another process is driven through an adapter. */
export interface ConnectedEnds {
  left: Transport;
  right: Transport;
  /** Let go of both, closed or not, and of everything that was started for them. */
  cleanup: () => Promise<void>;
  /** Cut the connection; `random` decides what else goes wrong: what is repeated, split, or lost under way. */
  drop?: (random: SeededRandom) => void | Promise<void>;
}

/** What the suite needs to know of an implementation. */
export interface TransportContract {
  /** Both ends in the state `connected`. Called once for each test. */
  connect: () => Promise<ConnectedEnds>;
  /**
   * For transports that outlive their connection; their ends have `drop()`. `best-effort`: the transport comes
   * back, and what is sent from then on arrives. `lossless`: besides, every line arrives once.
   */
  survivesDrops?: 'best-effort' | 'lossless';
  /** The end that may go on sending after the other one closed. */
  halfOpen?: 'left' | 'right';
  /** More than all buffers hold between a writer and a reader that does not read. */
  maxBytesUnderWay?: number;
}

/** The transports of the test that runs. */
export interface ContractScene {
  contract: TransportContract;
  ends: () => ConnectedEnds;
  maxBytesUnderWay: number;
}

/** The same, seen from the end that acts: `near` does something, `far` is its other side. */
export interface DirectedScene extends ContractScene {
  nearSide: 'left' | 'right';
  near: () => Transport;
  far: () => Transport;
}

const DEFAULT_MAX_BYTES_UNDER_WAY = 16 * 1024 * 1024;

/**
 * Prove every promise of the {@link Transport} contract (docs/SPEC.md, TR1 to TR15) on one implementation, from
 * either end: there is no need to run it again with the ends swapped.
 */
export function describeTransportContract(name: string, contract: TransportContract): void {
  describe(`transport contract: ${name}`, () => {
    let ends: ConnectedEnds;

    beforeEach(async () => {
      ends = await contract.connect();
    });

    afterEach(() => ends.cleanup());

    const { maxBytesUnderWay = DEFAULT_MAX_BYTES_UNDER_WAY } = contract;
    const scene: ContractScene = { contract, ends: () => ends, maxBytesUnderWay };

    describeConversations(scene);
    if (contract.survivesDrops) describeDrops(scene);
    describe.each(['left', 'right'] as const)('seen from the %s', (nearSide) => {
      const near = (): Transport => ends[nearSide];
      const far = (): Transport => (nearSide === 'left' ? ends.right : ends.left);
      describeLines({ ...scene, nearSide, near, far });
      describeClosing({ ...scene, nearSide, near, far });
    });
  });
}
