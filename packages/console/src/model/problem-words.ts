import { messageOf, SignalboxError } from '@signalbox/protocol';
import { HubRefusedError } from 'signalbox/hub';
import { t } from '../words/t.ts';

/** Why something was refused or failed: in the language of the page, where its code is known there. */
export function problemWords(error: unknown): string {
  return t.problems.said(codeOf(error), messageOf(error));
}

function codeOf(error: unknown): string {
  if (error instanceof HubRefusedError) return error.reason;
  return error instanceof SignalboxError ? error.code : '';
}
