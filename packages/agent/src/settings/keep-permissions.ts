import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatRule, isJsonObject } from '@signalbox/protocol';
import type { PermissionEntry } from '../settings/rule-source.ts';
import { Fields } from './fields.ts';
import { plainRuleText } from './own-answers.ts';
import { readSettings } from './settings-file.ts';

/** The rules and folders of a source as texts, by their names in a settings file. */
export type PermissionTexts = Readonly<
  Record<'allow' | 'deny' | 'ask' | 'additionalDirectories', readonly string[]>
>;

export function permissionTexts(entry: Readonly<PermissionEntry>): PermissionTexts {
  const { allow, deny, ask, directories } = entry;
  return {
    allow: allow.map(formatRule),
    deny: deny.map(formatRule),
    ask: ask.map(formatRule),
    additionalDirectories: directories,
  };
}

/**
 * Carry a change of rules and folders over to a settings file. All else in it stays, rules included that have no
 * effect here or that someone else has added meanwhile.
 */
export function keepPermissions(file: string, before: PermissionTexts, after: PermissionTexts): void {
  const settings = readSettings(file);
  const kept = new Fields(file, settings).object('permissions');
  const changed = ([key, now]: [string, readonly string[]], was: readonly string[]): [string, string[]][] => {
    const gone = new Set(was.map(plainRuleText).filter((text) => !now.includes(text)));
    const others = kept
      .texts(key)
      .filter((text) => !gone.has(plainRuleText(text)) && !now.includes(plainRuleText(text)));
    const list = [...others, ...now];
    return list.length === 0 && kept.any(key) === undefined ? [] : [[key, list]];
  };
  const lists = [
    ...changed(['allow', after.allow], before.allow),
    ...changed(['deny', after.deny], before.deny),
    ...changed(['ask', after.ask], before.ask),
    ...changed(['additionalDirectories', after.additionalDirectories], before.additionalDirectories),
  ];
  const permissions = isJsonObject(settings.permissions) ? settings.permissions : {};
  const content = { ...settings, permissions: { ...permissions, ...Object.fromEntries(lists) } };
  mkdirSync(dirname(file), { recursive: true });
  // A crash in the middle leaves the old settings, never half of the new.
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`);
  renameSync(draft, file);
}
