import { shownPath } from '@signalbox/protocol';
import { type FoundFile, foundIn } from '../../model/found-files.ts';
import { firstOf } from '../../model/many.ts';
import { ScrollBox } from '../../parts/scroll-box.tsx';
import { t } from '../../words/t.ts';
import { Output } from './output.tsx';
import type { CardProps, ToolCard } from './tool-card.ts';

/** Grep and Glob: what was found, by file. */
function Body({ call, folder }: CardProps) {
  const files = foundIn(call);
  if (files.length === 0) return <Output call={call} folder={folder} />;
  const [shown, rest] = firstOf(files);
  return (
    <ScrollBox className="code found" label={t.tools.found}>
      <ul>
        {shown.map((file, index) => (
          <File key={index} file={file} folder={folder} />
        ))}
        {rest.length > 0 && <li className="faint">{t.tools.moreFiles(rest.length)}</li>}
      </ul>
    </ScrollBox>
  );
}

function File({ file: { path, lines }, folder }: { file: FoundFile; folder: string | null }) {
  return (
    <li>
      <span className="found-path">{shownPath(path, folder)}</span>
      {lines.map(({ number, text }, index) => (
        <div key={index} className="found-line">
          <span className="line-number">{number}</span>
          <span>{text}</span>
        </div>
      ))}
    </li>
  );
}

export const searchCard: ToolCard = { Body };
