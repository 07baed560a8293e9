import { messageOf } from '@signalbox/protocol';
import { Component, type ReactNode } from 'react';
import { t } from '../words/t.ts';

/** What an agent says cannot be drawn now and then: that costs one row, and not the page. */
export class RowBoundary extends Component<{ children: ReactNode }, { problem: string | undefined }> {
  override state: { problem: string | undefined } = { problem: undefined };

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: messageOf(error) };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <div className="row note" data-tone="error">
        {t.parts.rowFailed(problem)}
      </div>
    );
  }
}
