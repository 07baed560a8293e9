/**
 * Decides when an agent's input ends. Ended too early, the agent can no longer ask for permission or reach a hook;
 * ended never, it waits for a prompt that nobody will send.
 */
export class InputEnd {
  readonly #end: () => void;
  #state: 'taking prompts' | 'waiting for the turn' | 'ended' = 'taking prompts';
  #turn: 'none' | 'running' = 'none';
  /** An agent that reports its state works on after a result, on what it left in the background. */
  #turnEndsWith: 'result' | 'idle' = 'result';

  constructor(end: () => void) {
    this.#end = end;
  }

  promptSent(): void {
    this.#turn = 'running';
  }

  resultSeen(queuedTurns: number): void {
    if (this.#turnEndsWith === 'result' && queuedTurns === 0) this.#turnEnded();
  }

  stateSeen(state: unknown): void {
    this.#turnEndsWith = 'idle';
    if (state === 'idle') this.#turnEnded();
    else this.#turn = 'running';
  }

  /** There will be no more prompts. */
  noMorePrompts(options: { waitForTurn: boolean }): void {
    if (this.#state !== 'taking prompts') return;
    this.#state = 'waiting for the turn';
    if (!options.waitForTurn || this.#turn === 'none') this.#finish();
  }

  #turnEnded(): void {
    this.#turn = 'none';
    if (this.#state === 'waiting for the turn') this.#finish();
  }

  #finish(): void {
    this.#state = 'ended';
    this.#end();
  }
}
