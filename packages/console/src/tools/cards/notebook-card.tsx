import { textAt } from '@signalbox/protocol';
import { CodeBlock } from '../../markdown/code-block.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { t } from '../../words/t.ts';
import { Output } from './output.tsx';
import type { CardProps, ToolCard } from './tool-card.ts';

const WORDS: Record<string, string> = {
  insert: t.tools.newCell,
  delete: t.tools.cellRemoved,
  replace: t.tools.cell,
};

/** NotebookEdit: the cell as it is from now on. */
function Body({ call, folder }: CardProps) {
  const { input, state } = call;
  const source = textAt(input, 'new_source');
  const isText = textAt(input, 'cell_type') === 'markdown';
  const what = WORDS[textAt(input, 'edit_mode') || 'replace'] ?? t.tools.cell;
  return (
    <>
      <p className="faint small">{[what, textAt(input, 'cell_id')].filter(Boolean).join(' ')}</p>
      {source !== '' &&
        (isText ? (
          <Markdown text={source} />
        ) : (
          <CodeBlock text={source} language={{ name: 'Python', grammar: 'python' }} />
        ))}
      {state !== 'done' && <Output call={call} folder={folder} />}
    </>
  );
}

export const notebookCard: ToolCard = { Body, isOpenByItself: true };
