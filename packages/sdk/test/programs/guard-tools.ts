import {
  AbortError,
  type CanUseTool,
  type HookCallback,
  type HookInput,
  type HookJSONOutput,
  type PermissionMode,
  type PermissionResult,
  type PermissionUpdate,
  type PreToolUseHookInput,
  type Query,
  query,
} from 'signalbox';

const allowed: PermissionUpdate = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'git:*' }],
  behavior: 'allow',
  destination: 'session',
};

const canUseTool: CanUseTool = async (
  toolName,
  input,
  { signal, suggestions },
): Promise<PermissionResult> => {
  if (signal.aborted) return { behavior: 'deny', message: 'too late', interrupt: true };
  if (toolName === 'Bash' && String(input['command']).startsWith('git '))
    return { behavior: 'allow', updatedInput: input, updatedPermissions: suggestions ?? [allowed] };
  return { behavior: 'deny', message: `${toolName} is not for you` };
};

const audit: HookCallback = async (
  input: HookInput,
  toolUseID: string | undefined,
): Promise<HookJSONOutput> => {
  if (input.hook_event_name === 'PreToolUse') return decide(input);
  if (input.hook_event_name === 'UserPromptSubmit')
    return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: input.prompt } };
  if (input.hook_event_name === 'PostToolUse')
    return { systemMessage: `${input.tool_name} ${toolUseID} ${JSON.stringify(input.tool_response)}` };
  return { continue: true };
};

function decide(input: PreToolUseHookInput): HookJSONOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: input.tool_name === 'Write' ? 'deny' : 'ask',
      permissionDecisionReason: 'house rules',
    },
  };
}

/** A guarded conversation that can be stopped. */
export async function guarded(prompt: string, mode: PermissionMode): Promise<void> {
  const abortController = new AbortController();
  const conversation: Query = query({
    prompt,
    options: {
      abortController,
      canUseTool,
      permissionMode: mode,
      hooks: {
        PreToolUse: [{ matcher: 'Write|Edit', hooks: [audit], timeout: 10 }],
        UserPromptSubmit: [{ hooks: [audit] }],
        Stop: [{ hooks: [async () => ({ async: true, asyncTimeout: 5 })] }],
      },
    },
  });
  try {
    await conversation.setPermissionMode('plan');
    const [first] = await conversation.supportedModels();
    await conversation.setModel(first?.value);
    for await (const message of conversation) if (message.type === 'result') await conversation.interrupt();
    const status = await conversation.mcpServerStatus();
    const rewound = await conversation.rewindFiles('uuid', { dryRun: true });
    if (status.some(({ status: state }) => state === 'failed') || !rewound.canRewind) abortController.abort();
  } catch (error) {
    if (!(error instanceof AbortError)) throw error;
  }
}
