import { setTimeout as pause } from 'node:timers/promises';
import type { WireLine } from '@signalbox/protocol';
import { reconnectDelayMs } from '@signalbox/transport';
import { DialTrouble } from './dial-trouble.ts';
import type { HubAddress } from './hub-address.ts';
import { HubLink } from './hub-link.ts';
import { Journal } from './journal.ts';
import { leftRuns, nextRunDirectory } from './left-run.ts';
import { redeliver } from './redelivery.ts';

/** A hub that refuses us, or closes for good, is asked again after this long: a person may mend it. */
export const REFUSED_RETRY_MS = 5000;

const REDIAL = { attempts: Number.POSITIVE_INFINITY, baseDelayMs: 250, maxDelayMs: 10_000 };

/** What a {@link Delivery} works with. */
export interface DeliveryOptions {
  hub: HubAddress;
  /** The run of the agent that hears the hub. */
  run: string;
  /** Where lines are kept until the hub has them. */
  outbox: string;
  /** Where a link keeps what is too much for its memory. */
  spill: string;
  onLine: (line: WireLine) => void | Promise<void>;
  log: (text: string) => void;
  /** Told why the hub is not reached: each reason once, until it is. */
  onTrouble: (text: string) => void;
  /** The hub has refused this side for so long that nobody will mend it. */
  onRefused: () => void;
  refusedPatienceMs?: number | undefined;
}

/** A link and the journal of its epoch: the n-th line of the one is the n-th line of the other. */
interface Epoch {
  link: HubLink;
  journal: Journal;
}

/**
 * Brings lines to the hub once and in order: each is in a journal before it is sent, and what an epoch could not
 * deliver, because its process was killed or its link was refused, goes first when the next one begins.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #leaving = new AbortController();
  readonly #trouble: DialTrouble;
  #epoch: Epoch;
  /** Called when what is left to be delivered has become another. */
  #onProgress: () => void = () => {};

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#trouble = new DialTrouble(options);
    this.#epoch = this.#begin();
  }

  /** Dial the hub. Lines may be sent before. */
  open(): void {
    void this.#serve();
  }

  /** Keep a line, and send it when its time comes. Settles when there is room for the next. */
  async send(line: Uint8Array): Promise<void> {
    const { link, journal } = this.#epoch;
    journal.append(line);
    const room = link.send(line);
    // Once the link has the line too: before, all that it has might count as all that there is.
    if (journal.isFileFull && link.state !== 'closed') journal.trim(journal.last - link.undelivered);
    try {
      await room;
    } catch {
      // The link has ended: the journal has the line, and the next epoch begins with it.
    }
  }

  /** Wait until the hub has everything or patience is over, then say goodbye. True when nothing is left. */
  async finish(patience: AbortSignal): Promise<boolean> {
    while (!this.#isDone && !patience.aborted) await this.#progress(patience);
    const isDone = this.#isDone;
    this.#leaving.abort();
    const { link, journal } = this.#epoch;
    if (isDone) {
      journal.remove();
      await link.close().catch(() => {});
    } else {
      // What was not delivered stays in the journal.
      journal.close();
      link.abandon();
    }
    return isDone;
  }

  /** Settles when something more was delivered, or patience is over. */
  async #progress(patience: AbortSignal): Promise<void> {
    const { link } = this.#epoch;
    let leave = (): void => {};
    const news = new Promise<void>((resolve) => {
      this.#onProgress = resolve;
      leave = resolve;
      patience.addEventListener('abort', leave);
    });
    await Promise.race(link.undelivered > 0 ? [news, link.drained()] : [news]);
    patience.removeEventListener('abort', leave);
  }

  get #isDone(): boolean {
    return this.#epoch.link.undelivered === 0 && this.#leftRuns().length === 0;
  }

  #leftRuns() {
    return leftRuns(this.#options.outbox, this.#epoch.journal.directory);
  }

  #begin(): Epoch {
    const { hub, run, outbox, spill, log } = this.#options;
    const onError = (error: Error): void => log(error.message);
    const link = new HubLink(hub, {
      run,
      outbox: { spill: { directory: spill, onError } },
      onGap: ({ from, to }) =>
        log(`Lines ${from} to ${to} of the hub went to an earlier bridge, or are lost.`),
      onFailure: (error) => this.#trouble.add(error),
    });
    const journal = new Journal(nextRunDirectory(outbox, link.epoch), onError);
    link.onStateChange((state) => {
      log(`The link is ${state}.`);
      if (state === 'connected') this.#trouble.over();
      // At once: lines that come now must find someone who makes their writer wait.
      if (state === 'closed' && !this.#leaving.signal.aborted) this.#next();
    });
    return { link, journal };
  }

  #next(): void {
    const { link, journal } = this.#epoch;
    if (link.undelivered === 0) journal.remove();
    else journal.close();
    this.#epoch = this.#begin();
    this.#onProgress();
  }

  async #serve(): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      await this.#deliverLeft(signal);
      const { link } = this.#epoch;
      try {
        if (signal.aborted) return;
        link.connect().catch(() => {});
        for await (const line of link.receive()) await this.#options.onLine(line);
        this.#options.log('The hub closed the link.');
      } catch (error) {
        this.#trouble.add(error);
      }
      await pause(REFUSED_RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Oldest first, and each for good before anything newer is sent. */
  async #deliverLeft(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const [run] = this.#leftRuns();
      if (!run) return;
      try {
        await redeliver(run, this.#options.hub, signal);
        run.remove();
        this.#onProgress();
        failures = 0;
        this.#trouble.over();
      } catch (error) {
        failures += 1;
        this.#trouble.add(error);
        await pause(reconnectDelayMs(failures, REDIAL), undefined, { signal }).catch(() => {});
      }
    }
  }
}
