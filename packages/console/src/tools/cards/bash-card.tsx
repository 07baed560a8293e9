import { textAt } from '@signalbox/protocol';
import { HighlightedCode } from '../../highlight/highlighted-code.tsx';
import { Output } from './output.tsx';
import type { CardProps, ToolCard } from './tool-card.ts';

/** A command, what the agent says about it, and what it printed. */
function Body({ call, folder }: CardProps) {
  const description = textAt(call.input, 'description');
  return (
    <>
      {description !== '' && <p className="faint small">{description}</p>}
      <pre className="code command">
        <HighlightedCode code={textAt(call.input, 'command')} grammar="bash" />
      </pre>
      <Output call={call} folder={folder} />
    </>
  );
}

export const bashCard: ToolCard = { Body };
