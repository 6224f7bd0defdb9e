import { lifecycleOf } from '@reelgraph/sql-planner';

/** An element of the schema, as far as its pages need it. */
interface Element {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

export function isPreview(element: Element): boolean {
  return lifecycleOf(element)?.preview === true;
}

/** Which versions have an element, if not all; that it is deprecated. Empty for most. */
export function lifecycleNotes(element: Element): string {
  const lifecycle = lifecycleOf(element);
  const { since, until } = lifecycle ?? {};
  return [
    lifecycle?.preview ? '**Preview.** Only in the [preview](/docs/guides/versions#the-preview); it may change.' : '',
    since ? `**From version ${since}** on.` : '',
    until ? `**Before version ${until}** only.` : '',
    element.deprecationReason ? `**Deprecated.** ${element.deprecationReason}` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** The description with the notes. */
export function withNotes(element: Element): string {
  return [element.description ?? '', lifecycleNotes(element)].filter(Boolean).join(' ');
}
