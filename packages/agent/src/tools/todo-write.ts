import * as z from 'zod/mini';
import { defineTool } from './tool.ts';

export const todoWriteTool = defineTool({
  name: 'TodoWrite',
  description: [
    'Keep a list of what is to be done, which the user sees. Each call replaces the whole list.',
    '- Use it for work of three steps or more; a short task needs none.',
    '- Have exactly one point `in_progress`; mark it `completed` as soon as it is, and not before it really is.',
    '- `content` says what to do ("Run the tests"), `activeForm` what is being done ("Running the tests").',
  ].join('\n'),
  input: z.object({
    todos: z.array(
      z.object({
        content: z.string().check(z.minLength(1)),
        status: z.enum(['pending', 'in_progress', 'completed']),
        activeForm: z.string().check(z.minLength(1)),
      }),
    ),
  }),
  isReadOnly: true,
  run({ todos }, { session }) {
    const oldTodos = session.todos;
    session.todos = todos;
    const open = todos.filter(({ status }) => status !== 'completed').length;
    return Promise.resolve({
      content: `The list is saved: ${todos.length} points, ${open} of them open.`,
      structured: { oldTodos, newTodos: todos },
    });
  },
});
