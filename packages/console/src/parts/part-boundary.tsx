import { messageOf } from '@signalbox/protocol';
import { Component, type ReactNode } from 'react';
import { Sentence } from '../words/sentence.tsx';
import { t } from '../words/t.ts';

/** A part of the page that fails, or cannot be loaded, says so in its place: the others go on. */
export class PartBoundary extends Component<
  {
    name: string;
    /** What the failure is shown in, where the part itself stands in front of the page. */
    frame?: (failure: ReactNode) => ReactNode;
    children: ReactNode;
  },
  { problem: string | undefined }
> {
  override state: { problem: string | undefined } = { problem: undefined };

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: messageOf(error) };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    const { frame = (failure) => failure } = this.props;
    return frame(
      <div className="failed-part" role="alert">
        <p>
          <Sentence of={t.parts.failedAbout(<strong>{t.parts.failed(this.props.name)}</strong>)} />
        </p>
        <p className="faint small" dir="auto">
          {problem}
        </p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {t.parts.loadAgain}
        </button>
      </div>,
    );
  }
}
