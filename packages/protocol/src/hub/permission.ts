import type { JsonObject } from '../control/control-types.ts';
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

/** Something that an agent asks a person. */
export interface PermissionRequest {
  session: string;
  /** As the agent named it; one of its kind in a session. */
  requestId: string;
  /** The body of the agent's control request. */
  request: JsonObject;
  state: PermissionState;
  openedAt: number;
  closedAt: number | null;
  answer: PermissionAnswer | null;
  /** Whether the agent has got the answer. */
  isDelivered: boolean;
}

/** What a person says to a permission request. */
export type PersonAnswer =
  | {
      behavior: 'allow';
      /** Another input than the one asked about. */
      updatedInput?: Record<string, unknown>;
      /** Rules to keep. */
      updatedPermissions?: Record<string, unknown>[];
      /** For AskUserQuestion: the label chosen, by the text of the question. */
      answers?: Record<string, string>;
      why?: string;
    }
  | {
      behavior: 'deny';
      /** What the agent is told. */
      message?: string;
      /** End the turn as well. */
      interrupt?: boolean;
      why?: string;
    };
