/** What things cost on a hub that keeps its data in PostgreSQL, as `scale.ts` measures them. */
export interface Constants {
  /** Of a message without viewers: processor time of the hub. */
  messageCpuMs: number;
  /** What a message adds to the database, with its indexes and search. */
  messageBytes: number;
  /** What a message adds to the write-ahead log. */
  messageWalBytes: number;
  /** Transactions of the database for each message, at a steady pace. */
  messageTransactions: number;
  /** Of a message for each viewer that gets it: processor time of the hub. */
  viewerCpuMs: number;
  /** What a connected agent that says nothing takes of the hub's memory. */
  sessionBytes: number;
  /** Processor time of the hub that it takes each second. */
  sessionCpuMs: number;
  /** Transactions of the database for it each second. */
  sessionTransactions: number;
  /** What the hub takes without anybody. */
  baseBytes: number;
  /** Transactions of the database for that, each second. */
  baseTransactions: number;
}

/** How people and agents use a hub. */
export interface Usage {
  sessions: number;
  /** The share of sessions whose agents work at the same time. */
  working: number;
  /** Messages of a working agent, each second. */
  rate: number;
  /** Viewers for each session. */
  viewers: number;
}

/** What that takes. */
export interface Need {
  messages: number;
  /** Processors of hubs. */
  processors: number;
  memoryBytes: number;
  transactions: number;
  walBytes: number;
  bytesPerDay: number;
}

const DAY_SECONDS = 24 * 60 * 60;

/** A tenth of all agents works, says one message in two seconds, and one session of ten is watched. */
export function usualUse(sessions: number): Usage {
  return { sessions, working: 0.1, rate: 0.5, viewers: 0.1 };
}

/** What a use needs each second, and of memory, from the measured constants. */
export function needOf(constants: Constants, { sessions, working, rate, viewers }: Usage): Need {
  const messages = sessions * working * rate;
  const perMessage = constants.messageCpuMs + viewers * constants.viewerCpuMs;
  return {
    messages,
    processors: (messages * perMessage + sessions * constants.sessionCpuMs) / 1000,
    memoryBytes: constants.baseBytes + sessions * constants.sessionBytes,
    transactions:
      constants.baseTransactions +
      messages * constants.messageTransactions +
      sessions * constants.sessionTransactions,
    walBytes: messages * constants.messageWalBytes,
    bytesPerDay: messages * constants.messageBytes * DAY_SECONDS,
  };
}
