import type { Connection, PageOptions, Pages } from './pages/pages.ts';
import type { CallOptions } from './request/options.ts';

export type { FollowOptions } from './events/follow.ts';
export type { CallOptions } from './request/options.ts';

type PageArguments = 'first' | 'last' | 'after' | 'before';

/** Arguments without the position and size of the page, which the iteration sets. */
type Unpaged<Variables> = Omit<Variables, PageArguments> & { readonly [Name in PageArguments]?: never };

/** Variables may be omitted if none is required. */
type Given<Variables, Options> =
  Partial<Variables> extends Variables
    ? [variables?: Variables, options?: Options]
    : [variables: Variables, options?: Options];

/** Reads one page when called; `all` iterates over every page. */
export interface ListMethod<Variables, C extends Connection, Nullable extends boolean> {
  (...given: Given<Variables, CallOptions>): Promise<Nullable extends true ? C | null : C>;
  all(...given: Given<Unpaged<Variables>, PageOptions & CallOptions>): Pages<C>;
}
