import { type FollowOptions, follow, type Message } from './events/follow.ts';
import type { OPERATIONS, Operations } from './generated/operations.gen.ts';
import { type Connection, type PageOptions, Pages } from './pages/pages.ts';
import type { CallOptions, ClientOptions } from './request/options.ts';
import { type Answer, type AnyDocument, Requester } from './request/requester.ts';
import { methodsOf } from './run-methods.ts';

/** Variables without the position and size of the page. */
type Unpaged<Variables> = Omit<Variables, 'first' | 'after'>;

/** A client that runs documents: selections, those of this package, such as `contentQuery`, and your own. */
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

/** Documents under the names of their methods. */
export type SomeOperations = Partial<typeof OPERATIONS>;

/**
 * Creates a client with the methods of the given operations only, which `@reelgraph/client/operations` exports: a
 * bundler leaves out all others. It opens no connection until it is used.
 */
export function createCoreClient<Some extends SomeOperations = Record<never, never>>(
  options: ClientOptions,
  operations?: Some,
): CoreClient & Pick<Operations, keyof Some & keyof Operations> {
  const requester = new Requester(options);
  // Operations is generated from the same table as the documents
  return coreOf(requester, methodsOf(requester, operations ?? {}) as Pick<Operations, keyof Some & keyof Operations>);
}

const requesters = /* @__PURE__ */ new WeakMap<object, Requester>();

/** What a client sends its requests with. Throws TypeError for an object that is not a client of this package. */
export function requesterOf(client: CoreClient): Requester {
  const requester = requesters.get(client);
  if (requester) return requester;
  throw new TypeError('Pass what createCoreClient or createClient returned, itself and not a copy.');
}

export function coreOf<Methods extends object>(requester: Requester, methods: Methods): CoreClient & Methods {
  const client = {
    ...methods,
    request: (document, variables, call = {}) => requester.request(document, variables ?? ({} as never), call),
    answer: (document, variables, call = {}) => requester.answer(document, variables ?? ({} as never), call),
    paginate: (document, variables, pick, page = {}) =>
      new Pages(
        async (place) => pick(await requester.request(document, { ...variables, ...place } as never, page)) ?? null,
        page,
      ),
    subscribe: (document, variables, following = {}) =>
      follow(requester, document, variables ?? ({} as never), following),
  } satisfies CoreClient;
  requesters.set(client, requester);
  return client;
}
