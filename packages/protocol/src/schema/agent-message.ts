import { accountMessages } from './account-message.ts';
import { assistantMessage } from './assistant-message.ts';
import {
  agentControlRequestMessage,
  controlCancelMessage,
  controlResponseMessage,
} from './control-envelope.ts';
import { conversationMessages } from './conversation-message.ts';
import { keepAliveMessage } from './keep-alive.ts';
import { oneOf } from './one-of.ts';
import { resultMessage } from './result-message.ts';
import { streamEventMessage } from './stream-event.ts';
import { systemMessage } from './system-message.ts';
import { toolProgressMessages } from './tool-progress-message.ts';
import { userMessage } from './user-message.ts';
import type { Inbound, Outbound } from './wire.ts';

/** What an agent says to a host, by `type`. */
export const agentMessages = {
  assistant: assistantMessage,
  user: userMessage,
  system: systemMessage,
  result: resultMessage,
  stream_event: streamEventMessage,
  ...toolProgressMessages,
  ...conversationMessages,
  ...accountMessages,
  control_request: agentControlRequestMessage,
  control_response: controlResponseMessage,
  control_cancel_request: controlCancelMessage,
  keep_alive: keepAliveMessage,
};

export const agentMessage = oneOf('type', agentMessages);

/** Anything an agent says to a host, as received; one with a `type` that we do not know is kept whole. */
export type AgentMessage = Inbound<typeof agentMessage>;

/** Anything an agent may say to a host, as sent. */
export type OutboundAgentMessage = Outbound<typeof agentMessage>;
