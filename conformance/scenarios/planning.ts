import { check, checkFits } from '../check.ts';
import { allow, deny } from '../conversation.ts';
import { fieldsOf } from '../messages.ts';
import { call } from '../prompts.ts';
import type { Part } from '../scenario.ts';

const QUESTION = {
  question: 'Which colour?',
  header: 'Colour',
  multiSelect: false,
  options: [
    { label: 'Red', description: 'like a rose' },
    { label: 'Blue', description: 'like the sea' },
  ],
};

export const planning: Part = {
  title: 'Questions, plans and to-dos',
  scenarios: [
    {
      name: 'TodoWrite keeps a list',
      misses: { '2.1.325': 'does not offer it' },
      async play(stage) {
        const todos = [{ content: 'Sweep', status: 'in_progress', activeForm: 'Sweeping' }];
        const { tool } = await (await stage.start()).turn(call('TodoWrite', { todos }));
        checkFits(tool, { isError: false, structured: { oldTodos: [], newTodos: todos } });
      },
    },
    {
      name: 'AskUserQuestion is answered by the updated input',
      async play(stage) {
        const agent = await stage.start({
          onPermission: ({ input }) => ({
            behavior: 'allow',
            updatedInput: { ...fieldsOf(input), answers: { [QUESTION.question]: 'Blue' } },
          }),
        });
        const { tool } = await agent.turn(call('AskUserQuestion', { questions: [QUESTION] }));
        checkFits(agent.asked, [{ tool_name: 'AskUserQuestion', input: { questions: [QUESTION] } }]);
        checkFits(tool, { isError: false, text: /Which colour\?[\s\S]*Blue/ });
        checkFits(tool.structured, { answers: { [QUESTION.question]: 'Blue' } });
      },
    },
    {
      name: 'a note that the user adds to an answer reaches the model',
      misses: { '2.1.37': 'does not know of notes' },
      async play(stage) {
        const annotations = { [QUESTION.question]: { notes: 'but not too dark' } };
        const agent = await stage.start({
          onPermission: ({ input }) => ({
            behavior: 'allow',
            updatedInput: { ...fieldsOf(input), answers: { [QUESTION.question]: 'Blue' }, annotations },
          }),
        });
        const { tool } = await agent.turn(call('AskUserQuestion', { questions: [QUESTION] }));
        checkFits(tool, { isError: false, text: /Which colour\?"="Blue" notes: but not too dark/ });
        checkFits(tool.structured, { annotations });
      },
    },
    {
      name: 'a question that the user declines is an error for the model',
      async play(stage) {
        const agent = await stage.start({ onPermission: deny('ask me later') });
        const { tool } = await agent.turn(call('AskUserQuestion', { questions: [QUESTION] }));
        checkFits(tool, { isError: true, text: /ask me later/ });
      },
    },
    {
      name: 'ExitPlanMode asks, and an approved plan ends plan mode',
      async play(stage) {
        const agent = await stage.start({ args: ['--permission-mode', 'plan'], onPermission: allow });
        const { tool } = await agent.turn(call('ExitPlanMode', { plan: 'First this, then that.' }));
        checkFits(agent.asked, [{ tool_name: 'ExitPlanMode' }]);
        checkFits(tool, { isError: false, text: /approved/i });
        const { messages } = await agent.turn('say hi');
        checkFits(
          messages.find(({ subtype }) => subtype === 'init'),
          { permissionMode: 'default' },
        );
      },
    },
    {
      name: 'a plan that is not approved leaves plan mode on',
      async play(stage) {
        const agent = await stage.start({
          args: ['--permission-mode', 'plan'],
          onPermission: deny('think again'),
        });
        const { tool } = await agent.turn(call('ExitPlanMode', { plan: 'Just do it.' }));
        checkFits(tool, { isError: true, text: /think again/ });
        const { messages } = await agent.turn('say hi');
        checkFits(
          messages.find(({ subtype }) => subtype === 'init'),
          { permissionMode: 'plan' },
        );
      },
    },
    {
      name: 'EnterPlanMode begins plan mode',
      async play(stage) {
        const agent = await stage.start({ onPermission: allow });
        const { tool } = await agent.turn(call('EnterPlanMode', {}));
        check(!tool.isError, tool.text);
        const { messages } = await agent.turn('say hi');
        checkFits(
          messages.find(({ subtype }) => subtype === 'init'),
          { permissionMode: 'plan' },
        );
      },
    },
  ],
};
