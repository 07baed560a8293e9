import { messageOf } from '@signalbox/protocol';
import { Component, type ReactNode } from 'react';

/** A part of the page that fails, or cannot be loaded, says so in its place: the others go on. */
export class PartBoundary extends Component<
  { name: string; children: ReactNode },
  { problem: string | undefined }
> {
  override state: { problem: string | undefined } = { problem: undefined };

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: messageOf(error) };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <div className="failed-part" role="alert">
        <p>
          <strong>{this.props.name} cannot be shown.</strong> The rest of the page goes on, and so do agents.
          What you have written is kept.
        </p>
        <p className="faint small" dir="auto">
          {problem}
        </p>
        <button type="button" className="button" onClick={() => location.reload()}>
          Load the page again
        </button>
      </div>
    );
  }
}
