import type { Connection, PageOptions, Pages } from './pages/pages.ts';
import type { CallOptions } from './request/options.ts';

export type { FollowOptions } from './events/follow.ts';
export type { CallOptions } from './request/options.ts';

type PageArguments = 'first' | 'last' | 'after' | 'before';

/** Arguments without the place and size of the page, which the iteration gives. */
type Unpaged<Variables> = Omit<Variables, PageArguments> & { readonly [Name in PageArguments]?: never };

/** Variables may be left out where none is needed. */
type Given<Variables, Options> =
  Partial<Variables> extends Variables ? [variables?: Variables, options?: Options] : [variables: Variables, options?: Options];

/** Reads one page when it is called; `all` goes through every page. */
export interface ListMethod<Variables, C extends Connection, Nullable extends boolean> {
  (...given: Given<Variables, CallOptions>): Promise<Nullable extends true ? C | null : C>;
  all(...given: Given<Unpaged<Variables>, PageOptions & CallOptions>): Pages<C>;
}
