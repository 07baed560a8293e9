import type { JsonObject } from '../json-fields.ts';
import type { Author } from './author.ts';

/** A decision about a permission request. */
export interface PermissionAnswer {
  author: Author;
  /** What the agent is told. */
  response: JsonObject;
  /** What is kept of it in the audit log, for example `allow`. */
  what: string;
  why: string | null;
}

/** `withdrawn`: the agent does not ask any more. `expired`: nobody is left who asks. */
export type PermissionState = 'open' | 'answered' | 'withdrawn' | 'expired';

/** The sub-agent that asks; null is what nobody said. */
export interface AskParent {
  agentId: string | null;
  /** The tool call that started it. */
  toolUseId: string | null;
  /** What kind of agent it is, and what it was given to do. */
  agentType: string | null;
  description: string | null;
}

/** Something that an agent asks a person. */
export interface PermissionRequest {
  session: string;
  /** As the agent named it; one of its kind in a session. */
  requestId: string;
  /** The body of the agent's control request. */
  request: JsonObject;
  /** Null when it is the session's own agent that asks. */
  parent: AskParent | null;
  state: PermissionState;
  openedAt: number;
  closedAt: number | null;
  answer: PermissionAnswer | null;
  /** Whether the agent has got the answer. */
  isDelivered: boolean;
  /** What is stored of it cannot be read: `request` is empty. */
  unread?: true;
}

/** What a person says to a request: to a permission, a question, a plan, a form of an MCP server or a dialog. */
export type PersonAnswer =
  | {
      behavior: 'allow';
      /** Another input than the one asked about. */
      updatedInput?: Record<string, unknown>;
      /** Rules to keep. */
      updatedPermissions?: Record<string, unknown>[];
      /** For AskUserQuestion: the labels chosen, by the text of the question. */
      answers?: Record<string, string | string[]>;
      /** For AskUserQuestion: words of the person's own, by the text of the question. */
      other?: Record<string, string>;
      /** For ExitPlanMode: the permission mode to go on in. */
      mode?: string;
      /** For a form of an MCP server: its fields. */
      content?: Record<string, unknown>;
      /** For a dialog: what it came to. */
      result?: unknown;
      why?: string;
    }
  | {
      behavior: 'deny';
      /** What the agent is told. */
      message?: string;
      /** End the turn as well. */
      interrupt?: boolean;
      /** For a form of an MCP server: it was closed without a decision. */
      dismissed?: boolean;
      why?: string;
    };
