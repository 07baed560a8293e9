import { type JsonObject, LIMITS, objectAt, type WireLine } from '@signalbox/protocol';
import { type Author, SCRIPTED_AGENT, type Session, type SessionBudget } from '@signalbox/protocol/hub';
import type { SessionPlace } from '../policy/session-place.ts';
import { spentWords, standingWords } from '../spend/budget-words.ts';
import { dayOf } from '../spend/day.ts';
import type { Crossing, Ledger, Spender } from '../spend/ledger.ts';
import { type Metered, SpendMeter } from '../spend/spend-meter.ts';
import { type SpendPlace, TurnPlace } from '../spend/turn-place.ts';
import { isNothing, losses, minus, NO_USE } from '../spend/use.ts';
import type { LineSpend, SpendRow } from '../store/spend.ts';
import { holds, messageIn } from './session-problem.ts';

const USAGE = Buffer.from('"usage":');

/** What {@link SessionSpend} needs of its session. */
export interface SessionSpendParts {
  session: () => Session;
  place: () => SessionPlace;
  /** The session says how its budget stands. */
  tell: (budget: SessionBudget | null) => void;
}

/** A line of the agent that was counted. */
export interface Counted {
  spend: LineSpend;
  /** What the record says of it, in the same commit. */
  notes: JsonObject[];
}

/** What the agent of a session spends, and the budgets that hold it. */
export class SessionSpend {
  readonly #ledger: Ledger;
  readonly #meter = new SpendMeter();
  readonly #place = new TurnPlace();
  readonly #parts: SessionSpendParts;

  constructor(ledger: Ledger, parts: SessionSpendParts) {
    this.#ledger = ledger;
    this.#parts = parts;
  }

  /** How far an earlier process of the hub has counted. */
  load(kept: JsonObject | undefined): void {
    if (!kept) return;
    this.#meter.load(kept);
    this.#place.load(objectAt(kept, 'place'));
  }

  /** True if no turn may begin or go on. */
  get isHeld(): boolean {
    return !this.#meter.isTurnAllowed && this.#ledger.standingOf(this.spender)?.state === 'reached';
  }

  get spent(): { usd: number; tokens: number } {
    return this.#meter.spent;
  }

  /** Whose spend it is: the folder that the hub knows counts before what an agent says of itself. */
  get spender(): Spender {
    const { session, origin, folder, claimed } = this.#parts.place();
    return { session, folder: origin ?? folder ?? claimed };
  }

  /** Something that is on its way into the record. */
  said(author: Author, type: string | undefined): void {
    if (author.by === 'person' && type === 'user') this.#meter.prompted(author.name);
  }

  /** A line of the agent, before it is stored. */
  hear(line: WireLine): Counted | undefined {
    const { type, subtype } = line.head();
    if (type === 'bridge' && subtype === 'started') {
      this.restarted();
      return { spend: this.#spendOf([]), notes: [] };
    }
    if (!tellsOfSpend(line)) return undefined;
    const isFree = this.#parts.session().agent === SCRIPTED_AGENT;
    const metered = this.#meter.hear(messageIn(line), isFree);
    if (!metered) return undefined;
    const place = this.#placeOf(type);
    const rows = this.#rowsOf(metered, place);
    const crossings = this.#ledger.add({ ...this.spender, folder: place.folder }, rows);
    return { spend: this.#spendOf(rows), notes: crossings.map(noteOf) };
  }

  /** Where a line is counted; with its result a turn is over. */
  #placeOf(type: string | undefined): SpendPlace {
    const place = this.#place.of({ folder: this.spender.folder, day: dayOf(Date.now()) });
    if (type === 'result') this.#place.end();
    return place;
  }

  /** What is spent is spent today; what is taken back was spent when the turn began. */
  #rowsOf({ uses, endedTurn }: Metered, { folder, day: begun }: SpendPlace): SpendRow[] {
    const day = dayOf(Date.now());
    const { person } = this.#meter;
    const rows = Array.from(uses, ([model, use]): SpendRow[] => {
      const less = begun === day ? NO_USE : losses(use);
      const turns = model === endedTurn ? 1 : 0;
      return [
        { day, folder, model, person, turns, ...minus(use, less) },
        { day: begun, folder, model, person, turns: 0, ...less },
      ];
    })
      .flat()
      .filter((row) => row.turns > 0 || !isNothing(row));
    if (endedTurn && !uses.has(endedTurn))
      rows.push({ day, folder, model: endedTurn, person, turns: 1, ...NO_USE });
    return rows;
  }

  #spendOf(rows: readonly SpendRow[]): LineSpend {
    return { rows, meter: { ...this.#meter.state, place: this.#place.state } };
  }

  /** One more turn, whatever was spent; gives what is to be kept of that. */
  allowTurn(): Counted {
    this.#meter.allowTurn();
    const standing = this.#ledger.standingOf(this.spender);
    this.refresh();
    const message = 'One more turn was allowed beyond the budget.';
    const note = {
      subtype: 'budget',
      state: 'allowed',
      ...(standing ? { budget: standing.id } : {}),
      message,
    };
    return { spend: this.#spendOf([]), notes: [note] };
  }

  /** Another process of the agent is there, without a bridge that would say so. */
  restarted(): void {
    this.#meter.restarted();
    this.#place.end();
  }

  /** Budgets, or what is spent of them, are others than before. */
  refresh(): void {
    const standing = this.#ledger.standingOf(this.spender);
    const budget = standing ? factOf(standing, this.#meter.isTurnAllowed) : null;
    const known = this.#parts.session().budget;
    if (budget?.message !== known?.message) this.#parts.tell(budget);
  }
}

/** Only such lines are read: to read all would take more than the rest that is done with a line. */
function tellsOfSpend(line: WireLine): boolean {
  const { type } = line.head();
  // What a reply of this length cost is told by the end of its turn.
  if (line.byteLength > LIMITS.askBytes.most) return false;
  return type === 'result' || (type === 'assistant' && holds(line.bytes(), USAGE));
}

function factOf(budget: Crossing, isTurnAllowed: boolean): SessionBudget {
  const { id, state } = budget;
  if (state === 'near' || !isTurnAllowed) return { id, state, message: standingWords(budget) };
  return { id, state: 'near', message: `${spentWords(budget)} One more turn is allowed.` };
}

/** One for each budget that is near or reached: what people are called for. */
function noteOf(budget: Crossing): JsonObject {
  const { id, state, session, folder, per, usd, tokens, spent } = budget;
  return {
    subtype: 'budget',
    state,
    budget: id,
    scope: session !== null ? 'session' : folder !== null ? 'folder' : 'hub',
    per,
    usd,
    tokens,
    spent,
    message: standingWords(budget),
  };
}
