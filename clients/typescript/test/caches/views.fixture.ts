import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Views of an application, as documents. Their names are as relay-compiler demands of a module called `page`.
 * `connection` is a directive of Relay, which other clients do not need.
 */
export const views = (connection: (key: string) => string = () => '') =>
  ({
    /** The newest features of a channel. */
    list: `query pageListQuery($channel: DID!, $first: Int!, $after: String) {
      channel(id: $channel) { id features(first: $first, after: $after) ${connection('page_features')} {
        edges { node { id metadata { title } likes { count } } }
        pageInfo { hasNextPage endCursor }
      } }
    }`,
    /** The same with other fields. */
    cards: `query pageCardsQuery($channel: DID!, $first: Int!) {
      channel(id: $channel) { id features(first: $first) { edges { node { id metadata { summary } } } } }
    }`,
    /** One content, with other fields than in the list. */
    detail: `query pageDetailQuery($id: DID!) {
      content(id: $id) {
        __typename id metadata { summary } likes { isLiked } chapters { title }
        comments(first: 10) ${connection('page_comments')} { edges { node { id body } } }
      }
    }`,
    /** Its chapters, with other fields than those of the view before. */
    player: `query pagePlayerQuery($id: DID!) {
      content(id: $id) { __typename id metadata { title keywords } chapters { title startMs } }
    }`,
    /** Objects with the id of the account's channel. */
    account: `query pageAccountQuery($channel: DID!) {
      me { id comments(first: 5) { totalCount } }
      node(id: $channel) { __typename id ... on Channel { comments(first: 5) { totalCount } metadata { name } } }
    }`,
    search: `query pageSearchQuery($query: String!) {
      search(query: $query, first: 1) { edges { node { id highlights { title { text matched } } } } }
    }`,
  }) as const;

export const mutations = {
  rename: `mutation pageRenameMutation($id: DID!, $title: String!) {
    updateContent(id: $id, input: { title: $title }) { id metadata { title } }
  }`,
  like: 'mutation pageLikeMutation($id: DID!) { likeContent(id: $id) { id likes { count isLiked } } }',
} as const;

/** The new comment, which is added to the list of its content; Relay adds it by a directive. */
export const COMMENT = `mutation pageCommentMutation($id: DID!, $body: String!) {
  createComment(contentId: $id, body: $body) { id body content { __typename id } }
}`;

export type ViewName = keyof ReturnType<typeof views>;
export type MutationName = keyof typeof mutations;
export type Values = Readonly<Record<string, unknown>>;

/** Sends an operation to the API: the response to its POST. */
export type Send = (query: string, variables: Values) => Promise<{ data?: unknown; errors?: unknown }>;

/** A view that stays open, and requests what it misses if its client does so. */
export interface View {
  /** What it shows; fails if anything is missing. */
  // biome-ignore lint/suspicious/noExplicitAny: what its document selects
  shown(): any;
}

/** An application with a stock client, set up as in the guide. */
export interface Application {
  open(name: ViewName, variables: Values): Promise<View>;
  mutate(name: MutationName, variables: Values): Promise<void>;
  /** Writes a comment, which appears in the views of its content. */
  comment(id: string, body: string): Promise<void>;
  /** Loads the next page of an open list. */
  nextPage(view: View, after: string): Promise<void>;
}

/** Counts requests, and tells when a client has nothing more to request. */
export class Requests {
  sent = 0;
  #open = 0;
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  readonly send: Send = async (query, variables) => {
    this.sent += 1;
    this.#open += 1;
    try {
      return await this.#send(query, variables);
    } finally {
      this.#open -= 1;
    }
  };

  /** Returns the number of requests since the last call, once none has been sent or awaited for some turns. */
  async taken(): Promise<number> {
    for (let quiet = 0, seen = this.sent; quiet < 10; quiet += 1) {
      await sleep(5);
      if (this.#open > 0 || this.sent !== seen) [quiet, seen] = [0, this.sent];
    }
    const { sent } = this;
    this.sent = 0;
    return sent;
  }
}
