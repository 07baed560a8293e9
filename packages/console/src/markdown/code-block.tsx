import { HighlightedCode } from '../highlight/highlighted-code.tsx';
import type { Language } from '../highlight/language-names.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { t } from '../words/t.ts';

/** Code of an answer, to be taken along: on a phone nobody marks ten lines with a thumb. */
export function CodeBlock({ text, language }: { text: string; language: Language | undefined }) {
  return (
    <div className="code-block">
      {language && <div className="code-language">{language.name}</div>}
      {/* Read from the left, whatever the words around it are. */}
      <pre className="code" dir="ltr">
        <HighlightedCode code={text} grammar={language?.grammar ?? ''} />
      </pre>
      <CopyButton text={text} label={t.parts.copy} />
    </div>
  );
}
