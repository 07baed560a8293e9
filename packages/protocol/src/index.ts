// errors

// control
export type { Channel } from './control/channel.ts';
export {
  CLOSED_BEFORE_RESPONSE,
  ControlAbortedError,
  ControlAnswerError,
  ControlClosedError,
  ControlRefusal,
  ControlRefusedError,
  ControlTimeoutError,
} from './control/control-errors.ts';
export { ControlPeer, type ControlPeerOptions } from './control/control-peer.ts';
export type {
  ControlHandler,
  ControlHandlerContext,
  ControlRequest,
  ControlRequestBody,
} from './control/control-types.ts';
export type { RequestOptions } from './control/outbound-requests.ts';
export { messageOf, SignalboxError } from './errors.ts';
export { type FieldFault, faultWords, fieldFault, fieldProblem } from './form/field-problem.ts';
export { type FormField, type FormOption, formFields, type TextFormat } from './form/form-field.ts';
export { RELAY_PORTS } from './hub/relay-ports.ts';
export { isUrl } from './is-url.ts';
export { isJsonObject, type JsonObject, listAt, numberAt, objectAt, textAt } from './json-fields.ts';
export { LIMITS, type Limit } from './limits.ts';
export { isJsonValue } from './line/json-bytes.ts';
export { isTooDeep, JsonTooDeepError, parseJson, valueDepth } from './line/json-depth.ts';
export { hasMoreValues } from './line/json-values.ts';
// lines
export {
  LineDecoder,
  type LineDecoderOptions,
  LineTooLongError,
} from './line/line-decoder.ts';
export { LineHead } from './line/line-head.ts';
export { WireLine } from './line/wire-line.ts';
// messages
export {
  checkControlPayload,
  encodeAgentMessage,
  encodeBridgeOrder,
  encodeBridgeReport,
  encodeHostMessage,
  encodeRelayStatus,
} from './parse/encode-message.ts';
export { MessageEncodeError, MessageParseError } from './parse/message-error.ts';
export {
  parseAgentMessage,
  parseBridgeOrder,
  parseBridgeReport,
  parseControlPayload,
  parseHostMessage,
} from './parse/parse-message.ts';
export { isRelayAnswer } from './parse/relay-answer.ts';
// permissions
export { isSearch, subjectPath } from './permission/call-subject.ts';
export { followLinks, LinkLoopError, type LinkReader } from './permission/follow-links.ts';
export { type Judgement, judgeCall, type RuleSets } from './permission/judge-call.ts';
export { matchRule } from './permission/match-rule.ts';
export { fixedPath, foldName, type PathContext } from './permission/path-pattern.ts';
export { PermissionRuleError } from './permission/rule-error.ts';
export { formatRule, parseRule } from './permission/rule-syntax.ts';
export { type ProgramKind, programKind } from './permission/shell/programs.ts';
export { readShellLine } from './permission/shell/shell-line.ts';
export { type LineRead, surveyLine } from './permission/shell/survey-line.ts';
export { soundsSecret } from './permission/shell/variables.ts';
export { ANY_NAME } from './permission/shell/word-values.ts';
export { suggestRules } from './permission/suggest-rules.ts';
export { type ScopedRule, type ToolCall, textField } from './permission/tool-call.ts';
export { fileRuleName, namesTool } from './permission/tool-name.ts';
export { matchesPieces } from './permission/wildcard.ts';
export { listPrice, type ModelFacts, modelFactsOf } from './prices/list-price.ts';
export { sameJson } from './same-json.ts';
export type { CanUseToolRequest } from './schema/agent-control-request.ts';
export type { AgentMessage, OutboundAgentMessage } from './schema/agent-message.ts';
export type { AssistantMessage } from './schema/assistant-message.ts';
export type {
  BridgeOrder,
  BridgeReport,
  OutboundBridgeOrder,
  OutboundBridgeReport,
} from './schema/bridge-message.ts';
export type { ContentBlock } from './schema/content-block.ts';
export type { ControlPayload, ControlSubtype, OutboundControlPayload } from './schema/control-payload.ts';
export { HOOK_EVENTS, type HookEvent, type HookInput } from './schema/hook-input.ts';
export type { HookOutput } from './schema/hook-output.ts';
export { HOST_CONTROL_SUBTYPES } from './schema/host-control-request.ts';
export type { HostMessage, OutboundHostMessage } from './schema/host-message.ts';
export type { AgentDefinition, InitializeResponse } from './schema/initialize.ts';
export type { McpServerConfig, McpServerStatus } from './schema/mcp.ts';
export type { UnknownName } from './schema/one-of.ts';
export { isPermissionMode, PERMISSION_MODES, type PermissionMode } from './schema/permission-mode.ts';
export type { OutboundPermissionResult, PermissionResult } from './schema/permission-result.ts';
export {
  PERMISSION_DESTINATIONS,
  type PermissionBehavior,
  type PermissionDestination,
  type PermissionRule,
  type PermissionUpdate,
} from './schema/permission-update.ts';
export {
  RELAY_STATUS,
  type RelayAnswer,
  type RelayStatusMessage,
} from './schema/relay-message.ts';
export type { ResultMessage } from './schema/result-message.ts';
export type { ApiStreamEvent, StreamEventMessage } from './schema/stream-event.ts';
export type { SystemMessage } from './schema/system-message.ts';
export type { ModelUsage, Usage } from './schema/usage.ts';
export type { PromptMessage, UserMessage } from './schema/user-message.ts';
export { timeLimit } from './time-limit.ts';
// transcripts
export { followConversation, messagesOf } from './transcript/conversation.ts';
export { plainProjectKey, projectKey } from './transcript/project-key.ts';
export {
  blocksOf,
  type ChainedEntry,
  isChained,
  isMessage,
  isToolAnswer,
  type MessageEntry,
  parseEntry,
  replyIdOf,
  type TranscriptEntry,
} from './transcript/transcript-entry.ts';
export { branchSigns, branchWords } from './words/branch-words.ts';
export { byteWords } from './words/byte-words.ts';
export { agentWords, otherFields } from './words/call-fields.ts';
// words
export { enderAfter, exitWords, type TurnOutcome, turnOutcome, UNEXPLAINED } from './words/end-words.ts';
export { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from './words/prompt-boundary.ts';
export { sessionTitle } from './words/session-title.ts';
export { spelledOut } from './words/spelled-out.ts';
export {
  endingWords,
  hasAgent,
  removingWords,
  STATE_WORDS,
  type StateWords,
  stateNamed,
  stateWords,
} from './words/state-words.ts';
export {
  partsWords,
  type SuggestionParts,
  suggestionParts,
  suggestionsIn,
  suggestionWords,
} from './words/suggestion-words.ts';
export { shortInput, shownPath, spokenName } from './words/tool-words.ts';
