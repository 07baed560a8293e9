import type { ReactNode } from 'react';
import { t } from '../words/t.ts';
import { HOME } from './route.ts';

/** What all pages about the hub have around them. */
export function PageFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="page">
      <header className="board-head">
        <a className="button quiet" href={HOME}>
          {t.shell.overview}
        </a>
        <h1 className="page-title">{title}</h1>
      </header>
      <div className="board-body hub-page-body">{children}</div>
    </main>
  );
}
