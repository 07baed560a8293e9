import type { HubRule } from '@signalbox/protocol/hub';

/** Where a rule counts, in words. */
export function scopeWords({ folder, session }: Pick<HubRule, 'folder' | 'session'>): string {
  const places = [
    ...(folder === null ? [] : [`in ${folder}`]),
    ...(session === null ? [] : [`in session ${session}`]),
  ];
  return places.length === 0 ? 'everywhere' : places.join(' ');
}

/** A rule in words: `allow Bash(npm test:*) everywhere`. */
export function ruleWords(rule: Pick<HubRule, 'behavior' | 'rule' | 'folder' | 'session'>): string {
  return `${rule.behavior} ${rule.rule} ${scopeWords(rule)}`;
}
