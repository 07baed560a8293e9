import { once } from 'node:events';
import { createServer } from 'node:http';
import { check, checkFits } from '../check.ts';
import { allow, deny } from '../conversation.ts';
import { fieldsOf, listOf } from '../messages.ts';
import { call, UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const NOTEBOOK = JSON.stringify({
  cells: [
    { cell_type: 'code', id: 'one', source: ['print(1)'], metadata: {}, outputs: [], execution_count: 1 },
    { cell_type: 'markdown', id: 'two', source: ['# hi'], metadata: {} },
  ],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
});

/** An agent that has read a notebook, and what it calls to edit it. */
async function withNotebook(stage: Stage) {
  const notebook_path = await stage.write(stage.path('n.ipynb'), NOTEBOOK);
  const agent = await stage.start({ args: UNASKED });
  await agent.turn(`read ${notebook_path}`);
  const edit = (input: Record<string, unknown>) =>
    agent.turn(call('NotebookEdit', { notebook_path, ...input }));
  const cells = async () => {
    const notebook = fieldsOf(JSON.parse((await stage.read(notebook_path)) ?? '{}'));
    return listOf(notebook['cells']).map(fieldsOf);
  };
  return { agent, edit, cells };
}

/** The text of a cell, which may be kept as lines. */
function sourceOf(cell: Record<string, unknown> | undefined): string {
  const source = cell?.['source'];
  return Array.isArray(source) ? source.join('') : String(source);
}

/** A page on loopback; counts how often it was asked for. */
async function servePage(stage: Stage): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.setHeader('content-type', 'text/html').end('<h1>Title</h1><p>the words of the page</p>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stage.onLeave(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = Object(server.address());
  return { url: `http://127.0.0.1:${port}/page`, asked: () => asked };
}

export const webAndNotebooks: Part = {
  title: 'Web and notebooks',
  scenarios: [
    {
      name: 'Read shows the cells of a notebook, with their ids',
      async play(stage) {
        const file = await stage.write(stage.path('n.ipynb'), NOTEBOOK);
        const { tool } = await (await stage.start()).turn(`read ${file}`);
        checkFits(tool, { isError: false, text: /id="one"[\s\S]*print\(1\)[\s\S]*id="two"[\s\S]*# hi/ });
      },
    },
    {
      name: 'NotebookEdit replaces a cell, and its old output is gone',
      async play(stage) {
        const { edit, cells } = await withNotebook(stage);
        const { tool } = await edit({ cell_id: 'one', new_source: 'print(2)' });
        checkFits(tool.structured, { cell_id: 'one', cell_type: 'code', edit_mode: 'replace' });
        const [first] = await cells();
        checkFits([sourceOf(first), first?.['execution_count']], ['print(2)', null]);
      },
    },
    {
      name: 'NotebookEdit puts a new cell after another, and takes one away',
      async play(stage) {
        const { edit, cells } = await withNotebook(stage);
        await edit({ cell_id: 'one', edit_mode: 'insert', cell_type: 'markdown', new_source: 'new' });
        await edit({ cell_id: 'two', edit_mode: 'delete', new_source: '' });
        checkFits((await cells()).map(sourceOf), ['print(1)', 'new']);
      },
    },
    {
      name: 'NotebookEdit of a cell that is not there changes nothing',
      async play(stage) {
        const { edit, cells } = await withNotebook(stage);
        const { tool } = await edit({ cell_id: 'nobody', new_source: 'x' });
        checkFits(tool, { isError: true, text: /Cell with ID "nobody" not found in notebook/ });
        checkFits((await cells()).map(sourceOf), ['print(1)', '# hi']);
      },
    },
    {
      name: 'NotebookEdit of a notebook that was not read is refused',
      misses: { '2.1.37': 'edits it' },
      async play(stage) {
        const notebook_path = await stage.write(stage.path('n.ipynb'), NOTEBOOK);
        const agent = await stage.start({ args: UNASKED });
        const edit = { notebook_path, cell_id: 'one', new_source: 'x' };
        checkFits((await agent.turn(call('NotebookEdit', edit))).tool, {
          isError: true,
          text: /Read it first/,
        });
      },
    },
    {
      name: 'NotebookEdit is an edit: it is asked for, but not where edits are accepted',
      async play(stage) {
        const notebook_path = await stage.write(stage.path('n.ipynb'), NOTEBOOK);
        const edit = call('NotebookEdit', { notebook_path, cell_id: 'one', new_source: 'x' });
        const agent = await stage.start({ onPermission: deny() });
        await agent.turn(`read ${notebook_path}`);
        await agent.turn(edit);
        checkFits(agent.asked, [{ tool_name: 'NotebookEdit' }]);
        await agent.control('set_permission_mode', { mode: 'acceptEdits' });
        checkFits((await agent.turn(edit)).tool, { isError: false });
        checkFits(agent.asked.length, 1, 'the number of questions');
      },
    },
    {
      name: 'WebFetch asks before it leaves the machine, with a rule for the domain',
      async play(stage) {
        const page = await servePage(stage);
        const agent = await stage.start({ onPermission: deny() });
        await agent.turn(call('WebFetch', { url: page.url, prompt: 'What does it say?' }));
        const rules = [{ toolName: 'WebFetch', ruleContent: 'domain:127.0.0.1' }];
        checkFits(agent.asked, [
          { tool_name: 'WebFetch', input: { url: page.url }, permission_suggestions: [{ rules }] },
        ]);
        checkFits(page.asked(), 0, 'the number of visits');
      },
    },
    {
      name: 'WebFetch hands the page to a model with the question, and its answer back',
      misses: {
        '2.1.37': 'first asks its maker whether the domain is safe',
        '2.1.325': 'first asks its maker whether the domain is safe',
      },
      async play(stage) {
        const page = await servePage(stage);
        const agent = await stage.start({ args: ['--allowedTools', 'WebFetch(domain:127.0.0.1)'] });
        const { tool } = await agent.turn(call('WebFetch', { url: page.url, prompt: 'What does it say?' }));
        checkFits(tool, { isError: false, text: /Title[\s\S]*the words of the page[\s\S]*What does it say/ });
      },
    },
    {
      name: 'WebFetch: a rule that denies a domain keeps it from being visited',
      async play(stage) {
        const page = await servePage(stage);
        const args = [...UNASKED, '--disallowedTools', 'WebFetch(domain:127.0.0.1)'];
        const agent = await stage.start({ args });
        const { tool } = await agent.turn(call('WebFetch', { url: page.url, prompt: 'What?' }));
        checkFits([tool.isError, page.asked()], [true, 0]);
      },
    },
    {
      name: 'WebFetch of what is no URL is an error for the model',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { tool, result } = await agent.turn(call('WebFetch', { url: 'nonsense', prompt: 'What?' }));
        checkFits([tool, result], [{ isError: true, text: /url/i }, { subtype: 'success' }]);
      },
    },
    {
      name: 'WebSearch is asked for, and has the API search',
      async play(stage) {
        const agent = await stage.start({ onPermission: allow });
        const { tool } = await agent.turn(call('WebSearch', { query: 'cats and dogs' }));
        checkFits(agent.asked, [{ tool_name: 'WebSearch', input: { query: 'cats and dogs' } }]);
        checkFits(tool, { isError: false, text: /cats and dogs/ });
        const searches = stage.model.requests.filter(({ body }) =>
          JSON.stringify(fieldsOf(body)['tools'] ?? []).includes('web_search_2'),
        );
        check(searches.length === 1, `it searched ${searches.length} times`);
      },
    },
  ],
};
