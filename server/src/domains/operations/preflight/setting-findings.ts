import { type Finding, ok, warning } from '../doctor/finding.ts';

/** Shorter names are too alike. */
const SHORTEST = 6;
const MOST_EDITS = 2;
/** Beginnings of names that other programs use, too. */
const NO_FAMILY = new Set([
  'DATABASE',
  'SECRET',
  'DATA',
  'BASE',
  'LOG',
  'MAIL',
  'TRUST',
  'SIGN',
  'INSTANT',
  'EVENT',
  'NODE',
]);

/**
 * Names in the environment that look like settings and are none: spelled a little differently, or one of a family such
 * as S3_… that this version does not have. Pure.
 */
export function settingFindings(names: readonly string[], known: readonly string[]): Finding[] {
  const settings = new Set(known.flatMap((name) => [name, `${name}_FILE`]));
  const families = new Set(known.filter((name) => name.includes('_')).map(familyOf));
  for (const family of NO_FAMILY) families.delete(family);
  const unknown = names.filter((name) => !settings.has(name)).sort();
  const findings = unknown.flatMap((name) => {
    const near = name.length >= SHORTEST ? known.find((setting) => edits(name, setting) <= MOST_EDITS) : undefined;
    if (near !== undefined) return [warning(`${name} is no setting of this version.`, `Did you mean ${near}?`)];
    if (!name.includes('_') || !families.has(familyOf(name))) return [];
    return [warning(`${name} is no setting of this version.`, 'Remove it, or see docs/settings.md.')];
  });
  return findings.length > 0 ? findings : [ok('This version knows all settings.')];
}

const familyOf = (name: string) => name.split('_')[0] ?? name;

/** Levenshtein's distance: letters to insert, remove or replace. Both are at most some hundred letters long. */
function edits(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MOST_EDITS) return MOST_EDITS + 1;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [index, wanted] of [...other].entries()) {
      const replaced = (row[index] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
