import { t } from '../../lib/i18n.ts';

/** Whether a subscription, a name or a wildcard (`playlist.*`, `*`), has a type of event. */
export function covers(pattern: string, type: string): boolean {
  return pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));
}

/** The types that a subscription has, of all. */
export function selectedTypes(patterns: Iterable<string>, all: readonly string[]): string[] {
  const chosen = [...patterns];
  return all.filter((type) => chosen.some((pattern) => covers(pattern, type)));
}

/** The subscription with `types` selected or not. A wildcard of a type that is not selected becomes what is left. */
export function withTypes(
  patterns: ReadonlySet<string>,
  { types, on }: { readonly types: readonly string[]; readonly on: boolean },
  all: readonly string[],
): Set<string> {
  if (on) {
    const selected = selectedTypes(patterns, all);
    return new Set([...patterns, ...types.filter((type) => !selected.includes(type))]);
  }
  const broken = [...patterns].filter((pattern) => types.some((type) => covers(pattern, type)));
  const left = selectedTypes(broken, all).filter((type) => !types.includes(type));
  return new Set([...[...patterns].filter((pattern) => !broken.includes(pattern)), ...left]);
}

/** What a wildcard means, for people; null for the name of a type. */
export function wildcardMeaning(pattern: string): string | null {
  if (pattern === '*') return t`All events, including types that are added later`;
  if (!pattern.endsWith('.*')) return null;
  const beginning = pattern.slice(0, -1);
  return t`All events that begin with ${beginning}, including types that are added later`;
}
