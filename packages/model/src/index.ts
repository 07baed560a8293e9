// errors

// the server
export { countTokens } from './api/tokens.ts';
// the command
export { type ModelCommandIo, runModelCommand } from './command.ts';
export {
  FaultQueueFullError,
  ModelListenError,
  ModelUsageError,
  RecordingFullError,
  RecordingWriteError,
  RequestWaitError,
  ScenarioError,
  ScenarioNoMatchError,
  ScenarioNotFoundError,
  type ScenarioProblem,
  ScenarioTooLargeError,
  UpstreamInvalidError,
} from './errors.ts';
// recording
export {
  type ModelRecorder,
  type ModelRecorderOptions,
  startModelRecorder,
} from './record/model-recorder.ts';
// scenarios
export { defineScenario, listScenarios, loadScenario, type ScenarioSummary } from './scenario/load.ts';
export type { Fault, FaultInput, Scenario, ScenarioInput } from './scenario/schema.ts';
export type { LoggedRequest, RequestState } from './server/request-log.ts';
export {
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from './server/scripted-model.ts';
