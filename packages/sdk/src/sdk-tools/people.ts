/** The tools that turn to a person: questions, plans, findings, notices. */

interface Choice {
  label: string;
  description: string;
  preview?: string;
}
/** A question with two to four answers to choose from. */
export interface Question {
  question: string;
  header: string;
  options: [Choice, Choice] | [Choice, Choice, Choice] | [Choice, Choice, Choice, Choice];
  multiSelect: boolean;
}
export interface AskUserQuestionInput {
  questions:
    | [Question]
    | [Question, Question]
    | [Question, Question, Question]
    | [Question, Question, Question, Question];
  /** By the text of the question. */
  answers?: Record<string, string>;
  annotations?: Record<string, { preview?: string; notes?: string }>;
  metadata?: { source?: string };
}
export interface AskUserQuestionOutput {
  questions: Question[];
  answers: Record<string, string>;
  response?: string;
  annotations?: Record<
    string,
    { preview?: string; notes?: string; unanswered?: 'skipped' | 'replied_in_chat' | 'dismissed' }
  >;
  afkTimeoutMs?: number;
}

export type EnterPlanModeInput = object;
export interface EnterPlanModeOutput {
  message: string;
}
export interface ExitPlanModeInput {
  allowedPrompts?: { tool: 'Bash'; prompt: string }[];
  [field: string]: unknown;
}
export interface ExitPlanModeOutput {
  plan: string | null;
  isAgent: boolean;
  filePath?: string;
  hasTaskTool?: boolean;
  planWasEdited?: boolean;
  awaitingLeaderApproval?: boolean;
  requestId?: string;
}

/** Of older agents: a setting to read or change. */
export interface ConfigInput {
  setting: string;
  value?: string | boolean | number;
}

export interface ReportFindingsInput {
  level?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  findings: {
    file: string;
    line?: number;
    summary: string;
    short_summary?: string;
    failure_scenario: string;
    category?: string;
    verdict?: 'CONFIRMED' | 'PLAUSIBLE';
    outcome?: 'fixed' | 'skipped' | 'no_change_needed';
  }[];
}
export interface ReportFindingsOutput extends ReportFindingsInput {
  count: number;
}

export interface SendFeedbackInput {
  type: 'bug' | 'idea' | 'missing_capability';
  title: string;
  details: string;
  area?: string;
  failure_mode?: string;
  task_category?: 'code_edit' | 'debug' | 'explain' | 'plan' | 'shell' | 'search' | 'review' | 'other';
}
export interface SendFeedbackOutput {
  success: boolean;
  message: string;
}
export interface PushNotificationInput {
  message: string;
  status?: 'proactive';
}
export interface PushNotificationOutput {
  message: string;
  pushSent?: boolean;
  localSent?: boolean;
  disabledReason?: 'config_off' | 'user_present' | 'no_transport';
  sentAt?: string;
}
export type ReadNotificationsInput = object;
export interface ReadNotificationsOutput {
  notifications: {
    notification_id: string;
    origin: string;
    queued_at: string;
    content: string;
    arrived_at?: string;
  }[];
  remaining: number;
  read_at?: string;
}
export type ShowOnboardingRolePickerInput = object;
export interface ShowOnboardingRolePickerOutput {
  role?: string;
  dismissed?: boolean;
}
export interface OfferChromeSetupInput {
  reason?: string;
}
export interface OfferChromeSetupOutput {
  outcome: 'connected' | 'not_now' | 'no_attempt_yet';
}

interface TextEdit {
  old_string: string;
  new_string: string;
}
/** A skill that an agent would like to have, or to have better. */
export interface SkillProposal {
  name: string;
  kind: 'new' | 'improvement';
  target?: string;
  description: string;
  evidence?: string[];
  edits?: [TextEdit, ...TextEdit[]];
  skillMd?: string;
}
export interface ProposeSkillsInput {
  proposals: [SkillProposal] | [SkillProposal, SkillProposal] | [SkillProposal, SkillProposal, SkillProposal];
}
export interface ProposeSkillsOutput {
  proposalCount: number;
}
export interface ProposeGoalInput {
  condition: string;
  ask_user?: boolean;
}
export interface ProposeGoalOutput {
  condition: string;
  askUser: boolean;
}
