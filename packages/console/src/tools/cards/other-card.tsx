import { CodeBlock } from '../../markdown/code-block.tsx';
import { indentedJson } from '../../model/indented-json.ts';
import { Fields } from '../fields.tsx';
import { Output } from './output.tsx';
import type { CardProps, ToolCard } from './tool-card.ts';

/** Tools of MCP servers, and all that have no card of their own: every field, and the answer, indented where it is JSON. */
function Body({ call, folder }: CardProps) {
  const json = call.state === 'done' ? indentedJson(call.result?.text ?? '') : undefined;
  return (
    <>
      <Fields fields={Object.entries(call.input)} isLong />
      {json === undefined ? (
        <Output call={call} folder={folder} />
      ) : (
        <CodeBlock text={json} language={{ name: 'JSON', grammar: 'json' }} />
      )}
    </>
  );
}

export const otherCard: ToolCard = { Body };
