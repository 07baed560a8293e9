import { describe, expect, it } from 'vitest';
import { askUserQuestionTool } from '../../src/tools/ask-user-question.ts';
import { enterPlanModeTool } from '../../src/tools/enter-plan-mode.ts';
import { exitPlanModeTool } from '../../src/tools/exit-plan-mode.ts';
import { BUILT_IN_TOOLS } from '../../src/tools/registry.ts';
import { todoWriteTool } from '../../src/tools/todo-write.ts';
import { openBench } from './tool-bench.ts';

describe('the registry', () => {
  it('[TL1] has every tool once, each with a description and an input that a model can be told', () => {
    expect(BUILT_IN_TOOLS.map(({ name }) => name).join(' ')).toBe(
      'Bash Read Write Edit NotebookEdit Glob Grep WebFetch WebSearch TodoWrite AskUserQuestion EnterPlanMode ExitPlanMode TaskOutput TaskStop',
    );
    for (const tool of BUILT_IN_TOOLS) {
      expect(tool.description.length).toBeGreaterThan(20);
      expect(tool.inputSchema()).toMatchObject({ type: 'object', properties: expect.any(Object) });
    }
    expect(BUILT_IN_TOOLS.filter((tool) => !tool.isReadOnly).map(({ name }) => name)).toEqual([
      'Bash',
      'Write',
      'Edit',
      'NotebookEdit',
      'WebFetch',
      'WebSearch',
    ]);
    expect(BUILT_IN_TOOLS.filter((tool) => tool.needsPerson).map(({ name }) => name)).toEqual([
      'AskUserQuestion',
      'ExitPlanMode',
    ]);
  });

  it('[TL1] every tool explains an input that it cannot use', async () => {
    const { run } = await openBench();
    for (const tool of BUILT_IN_TOOLS.filter(
      ({ name }) => !['EnterPlanMode', 'TaskStop', 'ExitPlanMode'].includes(name),
    )) {
      await expect(run(tool, { command: 1 })).rejects.toMatchObject({
        code: 'TOOL_INPUT_INVALID',
        message: expect.stringMatching(/was called with a wrong input:\n- `\w+`: /),
      });
    }
  });
});

describe('TodoWrite', () => {
  it('[TL32] replaces the list, and tells the old and the new one', async () => {
    const { run, session } = await openBench();
    const first = [{ content: 'Run it', status: 'pending', activeForm: 'Running it' }];
    expect(await run(todoWriteTool, { todos: first })).toMatchObject({
      structured: { oldTodos: [], newTodos: first },
    });
    expect(await run(todoWriteTool, { todos: [] })).toMatchObject({
      structured: { oldTodos: first, newTodos: [] },
    });
    expect(session.todos).toEqual([]);
    await expect(run(todoWriteTool, { todos: [{ ...first[0], status: 'done' }] })).rejects.toThrow(
      'todos.0.status',
    );
  });
});

describe('AskUserQuestion', () => {
  const options = [
    { label: 'red', description: 'r' },
    { label: 'blue', description: 'b' },
  ];
  const questions = [{ question: 'Which colour?', header: 'Colour', options, multiSelect: false }];

  it('[TL33] hands the answers to the model', async () => {
    const { run } = await openBench();
    expect(await run(askUserQuestionTool, { questions, answers: { 'Which colour?': 'blue' } })).toEqual({
      content: 'User has answered your questions: "Which colour?"="blue". Go on with these answers in mind.',
      structured: { questions, answers: { 'Which colour?': 'blue' } },
    });
    expect(
      await run(askUserQuestionTool, { questions, answers: { 'Which colour?': ['red', 'blue'] } }),
    ).toMatchObject({ structured: { answers: { 'Which colour?': 'red, blue' } } });
  });

  it('[TL700] hands on what the person adds to an answer; the model itself cannot add anything', async () => {
    const { run } = await openBench();
    const annotations = { 'Which colour?': { preview: '<b>blue</b>', notes: 'not too dark' } };
    expect(
      await run(askUserQuestionTool, { questions, answers: { 'Which colour?': 'blue' }, annotations }),
    ).toMatchObject({
      content: expect.stringContaining(
        '"Which colour?"="blue" selected preview:\n<b>blue</b> notes: not too dark.',
      ),
      structured: { annotations },
    });
    const place = { cwd: '/', home: '/' };
    expect(askUserQuestionTool.fromModel({ questions, annotations }, place)).toEqual({ questions });
  });

  it('[TL33] says that nobody answered, and refuses what nobody can answer', async () => {
    const { run } = await openBench();
    expect(JSON.stringify(askUserQuestionTool.inputSchema())).not.toContain('answers');
    await expect(run(askUserQuestionTool, { questions })).rejects.toThrow('The user gave no answer.');
    await expect(run(askUserQuestionTool, { questions: [] })).rejects.toThrow('`questions`');
    await expect(
      run(askUserQuestionTool, { questions: [{ ...questions[0], options: options.slice(1) }] }),
    ).rejects.toThrow('`questions.0.options`');
  });
});

describe('plan mode', () => {
  it('[TL34] is entered, and left for the mode before it', async () => {
    const { run, session } = await openBench();
    session.setMode('acceptEdits');
    await run(enterPlanModeTool, {});
    expect(session.mode).toBe('plan');
    await run(enterPlanModeTool, {});
    expect(await run(exitPlanModeTool, { plan: 'First this.', allowedPrompts: [] })).toMatchObject({
      content: expect.stringContaining('The approved plan:\nFirst this.'),
      structured: { plan: 'First this.', isAgent: false },
    });
    expect(session.mode).toBe('acceptEdits');
  });

  it('[TL34] is left for the default mode when the session began in it, or for the one that came with the approval', async () => {
    const { run, session } = await openBench();
    session.setMode('plan');
    expect(await run(exitPlanModeTool, {})).toMatchObject({ structured: { plan: null } });
    expect(session.mode).toBe('default');
    await run(enterPlanModeTool, {});
    session.setMode('acceptEdits');
    await run(exitPlanModeTool, {});
    expect(session.mode).toBe('acceptEdits');
  });
});
