/**
 * Operations of a page that lists contents and changes them. Their names are as relay-compiler demands of a module
 * called `page`.
 */
const CARD = 'id status publishedAt metadata { title } likes { count isLiked }';

export const LIST = `query pageListQuery($channel: DID!) {
  features(first: 10) { edges { node { ${CARD} } } }
  channel(id: $channel) { id contents(first: 10) { edges { node { __typename ${CARD} } } } }
}`;

export const MUTATIONS = {
  like: 'mutation pageLikeMutation($id: DID!) { likeContent(id: $id) { id likes { count isLiked } } }',
  unlike: 'mutation pageUnlikeMutation($id: DID!) { unlikeContent(id: $id) { id likes { count isLiked } } }',
  rename: `mutation pageRenameMutation($id: DID!, $title: String!) {
    updateContent(id: $id, input: { title: $title }) { id metadata { title } }
  }`,
  unpublish: 'mutation pageUnpublishMutation($id: DID!) { unpublishContent(id: $id) { id status publishedAt } }',
  publish: 'mutation pagePublishMutation($id: DID!) { publishContent(id: $id) { id status publishedAt } }',
} as const;

export type MutationName = keyof typeof MUTATIONS;

/** What the page shows of a content. */
export interface Card {
  readonly id: string;
  readonly status: string;
  readonly publishedAt: string | null;
  readonly metadata: { readonly title: string };
  readonly likes: { readonly count: number; readonly isLiked: boolean };
}

interface List {
  readonly edges: readonly { readonly node: Card }[];
}

export interface Page {
  readonly features: List;
  readonly channel: { readonly contents: List } | null;
}

/** Sends an operation to the API: the response to its POST. */
export type Send = (query: string, variables: Record<string, unknown>) => Promise<{ data?: unknown; errors?: unknown }>;

/** A client with a normalized cache. */
export interface CachingClient {
  /** Reads the page from the API. */
  load(channel: string): Promise<void>;
  /** The page as the cache has it; fails if anything of it is missing there. */
  shown(channel: string): Page;
  mutate(name: MutationName, variables: Record<string, unknown>): Promise<void>;
}
