import { type FollowOptions, follow, type Message } from './events/follow.ts';
import { type Connection, type PageOptions, Pages } from './pages/pages.ts';
import type { CallOptions, ClientOptions } from './request/options.ts';
import { type Answer, type AnyDocument, Requester } from './request/requester.ts';

/** Variables without the position and size of the page. */
type Unpaged<Variables> = Omit<Variables, 'first' | 'after'>;

/** A client that runs documents: your own, or those of this package, such as `contentQuery`. */
export interface CoreClient {
  /** Runs any document and returns its data. Throws ReelgraphError for any error; its `data` holds partial data. */
  request<Result = unknown, Variables = Readonly<Record<string, unknown>>>(
    document: AnyDocument<Result, Variables>,
    variables?: Variables,
    options?: CallOptions,
  ): Promise<Result>;
  /** The whole response: data and errors, cost, request id. Throws only NetworkError and the signal's reason. */
  answer<Result = unknown, Variables = Readonly<Record<string, unknown>>>(
    document: AnyDocument<Result, Variables>,
    variables?: Variables,
    options?: CallOptions,
  ): Promise<Answer<Result>>;
  /**
   * Iterates over a list in any document that takes `$first: Int` and `$after: String`; `pick` finds the list in the
   * data.
   */
  paginate<C extends Connection, Result = unknown, Variables extends object = Readonly<Record<string, unknown>>>(
    document: AnyDocument<Result, Variables>,
    variables: Unpaged<Variables>,
    pick: (data: Result) => C | null | undefined,
    options?: PageOptions & CallOptions,
  ): Pages<C>;
  /** Follows any subscription; each message comes with the cursor to resume after. */
  subscribe<Result = unknown, Variables = Readonly<Record<string, unknown>>>(
    document: AnyDocument<Result, Variables>,
    variables?: Variables,
    options?: FollowOptions,
  ): AsyncIterableIterator<Message<Result>>;
}

/**
 * Creates a client without the methods of `createClient`: a bundler keeps the documents that a program names, and
 * leaves out all others. It opens no connection until it is used.
 */
export function createCoreClient(options: ClientOptions): CoreClient {
  return coreOf(new Requester(options));
}

export function coreOf(requester: Requester): CoreClient {
  return {
    request: (document, variables, call = {}) => requester.request(document, variables ?? ({} as never), call),
    answer: (document, variables, call = {}) => requester.answer(document, variables ?? ({} as never), call),
    paginate: (document, variables, pick, page = {}) =>
      new Pages(
        async (place) => pick(await requester.request(document, { ...variables, ...place } as never, page)) ?? null,
        page,
      ),
    subscribe: (document, variables, following = {}) =>
      follow(requester, document, variables ?? ({} as never), following),
  };
}
