import type { ContentKind, ImageFragment } from '../../gql/generated/operations.gen.ts';

/** What is played one after the other: the episodes of a season, or a playlist. */
export interface Queue {
  readonly title: string;
  /** Path of the page of the series or playlist. */
  readonly path: string;
  readonly entries: readonly QueueEntry[];
  readonly totalCount: number;
  /** Place of what is being watched in `entries`; -1 when it is not among them. */
  readonly index: number;
}

/** One place in it. The same content may have several. */
export interface QueueEntry {
  readonly key: string;
  readonly label: string;
  readonly content: {
    readonly id: string;
    readonly kind: ContentKind;
    readonly metadata: { readonly title: string; readonly duration: number | null };
    readonly watchPosition: { readonly position: number; readonly completed: boolean } | null;
    readonly assets: { readonly images: { readonly edges: readonly { readonly node: ImageFragment }[] } };
  };
  /** Search parameters of its address, which keep the queue. */
  readonly search: { readonly list?: string; readonly item?: string };
}

/** What comes before and after what is being watched. */
export function neighbours({ entries, index }: Pick<Queue, 'entries' | 'index'>): {
  readonly previous: QueueEntry | null;
  readonly next: QueueEntry | null;
} {
  if (index < 0) return { previous: null, next: entries[0] ?? null };
  return { previous: entries[index - 1] ?? null, next: entries[index + 1] ?? null };
}

/** Where the item is, or else the first place with the content. */
export function indexInQueue(entries: readonly QueueEntry[], contentId: string, item: string | undefined): number {
  const exact = entries.findIndex(({ search, content }) => item !== undefined && search.item === item && content.id === contentId);
  return exact >= 0 ? exact : entries.findIndex(({ content }) => content.id === contentId);
}
