import { until } from '@signalbox/testing/hub/test-parts';
import { onTestFinished } from 'vitest';
import {
  type EntryMessage,
  HubStream,
  type HubStreamOptions,
  type HubStreamState,
  type StreamMessage,
  type WatchOptions,
} from '../../src/hub/index.ts';

/** Someone who follows a session and remembers all that they were told. */
export class StreamViewer {
  readonly stream: HubStream;
  readonly told: StreamMessage[] = [];
  readonly states: HubStreamState[] = [];

  constructor(options: HubStreamOptions) {
    this.stream = new HubStream({
      reconnect: { baseDelayMs: 20, maxDelayMs: 100 },
      ...options,
      onState: (state) => this.states.push(state),
    });
    onTestFinished(() => this.stream.close());
  }

  watch(session: string, options: WatchOptions = {}) {
    return this.stream.watch(session, (message) => this.told.push(message), options);
  }

  /** The first that was told and fits; waits until there is one. */
  hears<Type extends StreamMessage['type']>(
    type: Type,
    fits: (message: Extract<StreamMessage, { type: Type }>) => boolean = () => true,
  ): Promise<Extract<StreamMessage, { type: Type }>> {
    return until(() => this.all(type).find(fits));
  }

  all<Type extends StreamMessage['type']>(type: Type): Extract<StreamMessage, { type: Type }>[] {
    return this.told.filter(
      (message): message is Extract<StreamMessage, { type: Type }> => message.type === type,
    );
  }

  get entries(): EntryMessage[] {
    return this.all('sdk-message');
  }

  get numbers(): number[] {
    return this.entries.map(({ seq }) => seq);
  }

  is(state: HubStreamState): Promise<boolean> {
    return until(() => this.stream.state === state);
  }
}
