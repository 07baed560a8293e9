import { numberAt, objectAt, textAt } from '@signalbox/protocol';
import { HighlightedCode } from '../../highlight/highlighted-code.tsx';
import { languageOfFile } from '../../highlight/language-names.ts';
import { ScrollBox } from '../../parts/scroll-box.tsx';
import { t } from '../../words/t.ts';
import { Output } from './output.tsx';
import type { CardProps, ToolCard } from './tool-card.ts';

/** What is shown of a file; the rest is in the file. */
const SHOWN_LINES = 400;

/** What was read, with its numbers. */
function Body({ call, folder }: CardProps) {
  const file = objectAt(call.result?.structured, 'file');
  const content = textAt(file, 'content');
  if (content === '') return <Output call={call} folder={folder} />;
  const lines = content.split('\n');
  const shown = lines.slice(0, SHOWN_LINES);
  const first = numberAt(file, 'startLine') ?? 1;
  const path = textAt(file, 'filePath') || textAt(call.input, 'file_path');
  return (
    <ScrollBox className="code numbered" label={t.tools.file}>
      <pre className="line-numbers" aria-hidden="true">
        {shown.map((_, index) => first + index).join('\n')}
      </pre>
      <pre className="numbered-text">
        <HighlightedCode code={shown.join('\n')} grammar={languageOfFile(path)?.grammar ?? ''} />
        {lines.length > shown.length && (
          <span className="faint">{`\n${t.tools.moreDiffLines(lines.length - shown.length)}`}</span>
        )}
      </pre>
    </ScrollBox>
  );
}

export const readCard: ToolCard = { Body };
