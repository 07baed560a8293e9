import type {
  ArtifactInput,
  ArtifactOutput,
  ClaudeDesignInput,
  ClaudeDesignOutput,
  ListMcpResourcesInput,
  ListMcpResourcesOutput,
  McpInput,
  McpOutput,
  ProjectsInput,
  ProjectsOutput,
  ReadMcpResourceDirInput,
  ReadMcpResourceDirOutput,
  ReadMcpResourceInput,
  ReadMcpResourceOutput,
  RefreshMcpToolsInput,
  RefreshMcpToolsOutput,
  RemoteTriggerInput,
  RemoteTriggerOutput,
  WebFetchInput,
  WebFetchOutput,
  WebSearchInput,
  WebSearchOutput,
} from './beyond.ts';
import type {
  EnterWorktreeInput,
  EnterWorktreeOutput,
  ExitWorktreeInput,
  ExitWorktreeOutput,
  FileEditInput,
  FileEditOutput,
  FileReadInput,
  FileReadOutput,
  FileWriteInput,
  FileWriteOutput,
  GlobInput,
  GlobOutput,
  GrepInput,
  GrepOutput,
  NotebookEditInput,
  NotebookEditOutput,
} from './files.ts';
import type {
  AskUserQuestionInput,
  AskUserQuestionOutput,
  ConfigInput,
  EnterPlanModeOutput,
  ExitPlanModeInput,
  ExitPlanModeOutput,
  OfferChromeSetupInput,
  OfferChromeSetupOutput,
  ProposeGoalInput,
  ProposeGoalOutput,
  ProposeSkillsInput,
  ProposeSkillsOutput,
  PushNotificationInput,
  PushNotificationOutput,
  ReadNotificationsOutput,
  ReportFindingsInput,
  ReportFindingsOutput,
  SendFeedbackInput,
  SendFeedbackOutput,
  ShowOnboardingRolePickerOutput,
} from './people.ts';
import type {
  AgentInput,
  AgentOutput,
  BashInput,
  BashOutput,
  CronCreateInput,
  CronCreateOutput,
  CronDeleteInput,
  CronDeleteOutput,
  CronListOutput,
  MonitorInput,
  MonitorOutput,
  ScheduleWakeupInput,
  ScheduleWakeupOutput,
  TaskCreateInput,
  TaskCreateOutput,
  TaskGetInput,
  TaskGetOutput,
  TaskListOutput,
  TaskOutputInput,
  TaskStopInput,
  TaskStopOutput,
  TaskUpdateInput,
  TaskUpdateOutput,
  TodoWriteInput,
  TodoWriteOutput,
  WorkflowInput,
  WorkflowOutput,
} from './work.ts';

/** What a tool gives back. */
export type ToolOutputSchemas =
  | AgentOutput
  | ArtifactOutput
  | AskUserQuestionOutput
  | BashOutput
  | ClaudeDesignOutput
  | CronCreateOutput
  | CronDeleteOutput
  | CronListOutput
  | EnterPlanModeOutput
  | EnterWorktreeOutput
  | ExitPlanModeOutput
  | ExitWorktreeOutput
  | FileEditOutput
  | FileReadOutput
  | FileWriteOutput
  | GlobOutput
  | GrepOutput
  | ListMcpResourcesOutput
  | McpOutput
  | MonitorOutput
  | NotebookEditOutput
  | OfferChromeSetupOutput
  | ProjectsOutput
  | ProposeGoalOutput
  | ProposeSkillsOutput
  | PushNotificationOutput
  | ReadMcpResourceDirOutput
  | ReadMcpResourceOutput
  | ReadNotificationsOutput
  | RefreshMcpToolsOutput
  | RemoteTriggerOutput
  | ReportFindingsOutput
  | ScheduleWakeupOutput
  | SendFeedbackOutput
  | ShowOnboardingRolePickerOutput
  | TaskCreateOutput
  | TaskGetOutput
  | TaskListOutput
  | TaskStopOutput
  | TaskUpdateOutput
  | TodoWriteOutput
  | WebFetchOutput
  | WebSearchOutput
  | WorkflowOutput;

/** What a tool is called with, or gives back. Calls without an input are not in it: they would be any object. */
export type ToolInputSchemas =
  | AgentInput
  | ArtifactInput
  | AskUserQuestionInput
  | BashInput
  | ClaudeDesignInput
  | ConfigInput
  | CronCreateInput
  | CronDeleteInput
  | EnterWorktreeInput
  | ExitPlanModeInput
  | ExitWorktreeInput
  | FileEditInput
  | FileReadInput
  | FileWriteInput
  | GlobInput
  | GrepInput
  | ListMcpResourcesInput
  | McpInput
  | MonitorInput
  | NotebookEditInput
  | OfferChromeSetupInput
  | ProjectsInput
  | ProposeGoalInput
  | ProposeSkillsInput
  | PushNotificationInput
  | ReadMcpResourceDirInput
  | ReadMcpResourceInput
  | RefreshMcpToolsInput
  | RemoteTriggerInput
  | ReportFindingsInput
  | ScheduleWakeupInput
  | SendFeedbackInput
  | TaskCreateInput
  | TaskGetInput
  | TaskOutputInput
  | TaskStopInput
  | TaskUpdateInput
  | TodoWriteInput
  | WebFetchInput
  | WebSearchInput
  | WorkflowInput
  | ToolOutputSchemas;
