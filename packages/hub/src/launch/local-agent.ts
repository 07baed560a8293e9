import type { AgentDefinition, AgentDefinitionChange } from '@signalbox/protocol/hub';

/** An agent that a hub knows how to run, if it is on this machine. */
export interface LocalAgent {
  name: string;
  /** What people read, also as the agent of a session. */
  title: string;
  /** The program and its first words; null when it is not here. */
  command: readonly string[] | null;
  path: string | null;
  /** What it has: messages over the SDK unless given, or nothing but its own screen. */
  view?: 'sdk' | 'terminal';
  /** Variables that it is run with: nobody is shown them. */
  env?: Readonly<Record<string, string>>;
  /** Why it is not here, and what to do about that. */
  why: string | null;
  /** What it says of its version. */
  version: () => Promise<string | null>;
}

/** A conversation that an agent left on this machine. */
export interface ConversationOnDisk {
  /** The agent's own id of it. */
  id: string;
  folder: string | null;
  title: string;
  branch: string | null;
  createdAt: number | null;
  updatedAt: number;
}

/** A message of a conversation on disk. */
export interface MessageOnDisk {
  uuid: string;
  /** Its JSON, as the agent would have said it to its host. */
  line: Uint8Array;
}

/** What is known of what an agent wrote of a conversation. */
export interface TranscriptOnDisk {
  /** The uuid of its last message; what was left when somebody went back is no part of it. */
  last: string;
  /** Whether its last turn has ended. */
  isTurnOver: boolean;
}

/** Which messages of a transcript: those after one, all for null; or where that is not there, those from a time on. */
export interface TranscriptSince {
  after: string | null;
  time: number;
}

/** Takes some messages; the next are read when it has settled. */
export type TakeMessages = (messages: readonly MessageOnDisk[]) => Promise<void>;

/** Where an agent keeps its transcripts: by its folder and its variables. */
export interface TranscriptPlace {
  folder: string;
  env: Readonly<Record<string, string>>;
}

/** The conversations that agents left on this machine. */
export interface ConversationFiles {
  /** The newest first; those of a folder and of its repository's other working trees, or all. */
  list(request: { folder?: string; limit: number }): Promise<ConversationOnDisk[]>;
  /** The process that has a conversation open; undefined when none is known to. */
  holder(id: string): Promise<number | undefined>;
  /** The conversation that a process has open; undefined when that is not known. */
  heldBy(pid: number): Promise<string | undefined>;
  /** Undefined when there is none. What cannot be read of it is left out. */
  transcript(id: string, place: TranscriptPlace): Promise<TranscriptOnDisk | undefined>;
  /** Pass on what was said, the oldest first. A transcript may be longer than memory: it is never there as a whole. */
  messages(id: string, place: TranscriptPlace, since: TranscriptSince, take: TakeMessages): Promise<void>;
}

/** The agents that whoever runs the hub has defined. What is changed here is in force at once. */
export interface AgentDefinitions {
  list(): DefinedAgent[];
  /** Raises `SETTING_INVALID` or `FILE_NOT_WRITTEN`. */
  change(change: AgentDefinitionChange): DefinedAgent;
  /** Undefined when there is none of this name. Raises `SETTING_INVALID` or `FILE_NOT_WRITTEN`. */
  remove(name: string): DefinedAgent | undefined;
}

/** A definition as people may see it. */
export type DefinedAgent = Omit<AgentDefinition, 'why'>;

/** What a hub needs to launch agents. */
export interface LaunchSetup {
  /** Where Signalbox keeps its data. */
  home: string;
  /** The name of this node, where several share a database. */
  node?: string;
  /** How to run `signalbox`: the program and its first words. */
  program: readonly string[];
  /** What terminals run; the shell of whoever runs the hub unless given. */
  shell?: readonly string[];
  /** Looked for each time: one may be installed while the hub runs. */
  agents: () => readonly LocalAgent[];
  /** Where those are kept that people define; without it, nobody can do so from afar. */
  definitions?: AgentDefinitions;
  /** What agents left on this machine, to be taken up. */
  conversations?: ConversationFiles;
  /** What a person types on this machine to let an agent dial in. */
  dialIn?: string;
}
