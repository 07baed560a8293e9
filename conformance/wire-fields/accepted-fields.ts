import type { AcceptedFields } from './compare-fields.ts';

/** How the wires of `claude` 2.1.325 and ours differ, each with a reason that a host's author would accept. */
export const ACCEPTED_FIELDS: AcceptedFields = {
  lacking: {
    '(assistant message|\\S+ (tool_use_result\\.|tool_response\\.|event\\.)?)\\.?usage\\.(fallback_credit|inference_geo|iterations|speed)':
      'the API does not say it, and ours reports no more than the API does',
    'assistant message\\.(container|context_management|diagnostics|stop_details)|stream_event event\\.(context_management|delta\\.(container|stop_details))':
      'fields of the API that it did not send: `claude` fills in null',
    'stream_event event\\.delta\\.stop_reason=null':
      '`claude` makes up an end of the stream when a reply is broken off; ours ends it with the result',
    'stream_event (abandoned_blocks|owed_rows)':
      'bookkeeping of `claude` for replies that are begun again, which ours never shows',
    '(stream_event|assistant) thinking_display': 'a setting of `claude`’s own screen',
    'assistant (local_command_run|local_command_source|message\\.stop_reason=end_turn)':
      'what a local command prints comes as a user message with `<local-command-stdout>`, as with 2.1.37, and not in the model’s place',
    'control_request/can_use_tool server_policy_ask_only': 'a policy of Anthropic’s servers',
    'hook/\\w+ effort': 'the effort is what the model is asked with; where nobody sets one, ours sends none',
    'hook/\\w+ session_crons': 'ours has no prompts that a clock starts',
    '(hook/PostToolUse tool_response|user tool_use_result)\\.(canContinueAgent|harness\\w+)':
      'about the note that `claude` puts before what a sub-agent says; ours puts none there',
    '(hook/PostToolUse tool_response|user tool_use_result)\\.toolStats':
      '`toolsUsed` and `totalToolUseCount` say what a sub-agent used; ours does not sort the calls into kinds',
    '(hook/PostToolUse tool_response|user tool_use_result)\\.noOutputExpected':
      'a guess of `claude` about which commands are silent',
    '(result/\\w+|system/init) fast_mode_(state|disabled_reason)': 'ours has no fast mode',
    'result/\\w+ safety_stops': 'a count of Anthropic’s classifiers',
    'result/success first_content_frame_ms':
      'the same moment as `ttft_ms`: ours sends a part as soon as it has it',
    'result/success stop_reason=stop_sequence':
      'of an API error `claude` says that the model ended with a stop sequence; ours says nothing',
    'result/success origin\\.(producer|runId)|system/\\w+ (tasks\\[\\]\\.)?run_id':
      '`task_id` names a task for as long as the session lasts; ours has no second name for it',
    'system/compact_boundary compact_metadata\\.(post_tokens|cumulative_dropped_tokens)':
      'how long the conversation is now is known with the next reply, which says so',
    'system/compact_boundary compact_metadata\\.preserved_(messages|segment)':
      'ours keeps no messages beside the summary',
    'system/init (analytics_disabled|product_feedback_disabled|messaging_socket_path|view_mode|terminal_slash_commands)':
      'about `claude`’s own screen, telemetry and sockets',
    'system/init memory_paths': 'ours writes no notes of its own for later sessions',
    'system/init (per_turn_effort_active|ultrathink_available|ultrathink_typed_raises)':
      'ours has no words in a prompt that change the effort',
    'system/init plugins\\[\\]': 'plugins that come with `claude`; ours lists those that were installed',
    'system/permission_denied decision_reason_type=subcommandResults':
      '`claude` says that it looked at the parts of a line, ours that a rule decided: `rule`',
    'system/thinking_tokens.*': 'an estimate for each part of a thought; what it came to is in the usage',
  },
  added: {
    'assistant message\\.content\\[text\\]\\.citations':
      'of a text that was broken off: the API has the field',
    'control_request/can_use_tool decision_reason_type=other':
      'ours says in every question why it asks; `claude` only of paths and rules',
    'system/permission_denied (decision_reason|decision_reason_type=rule)': 'ours says which rule denied it',
    'hook/(PreCompact|SessionStart|SubagentStart) permission_mode': 'ours tells every hook the mode',
    'hook/SessionStart source=startup':
      'ours waits for the hooks of a host’s `initialize` before the session begins; `claude` has begun by then',
  },
};
