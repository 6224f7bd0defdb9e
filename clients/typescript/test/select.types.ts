/**
 * Which selections compile, which do not, and the types of their results, checked by `tsc`. Never run.
 */
import type { CoreClient, DID } from '../src/index.ts';
import { mutation, page, query, type Selected, type Selection, subscription } from '../src/select/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Readable form of a type, so that equal types compare as equal. */
type Flat<T> = T extends readonly (infer E)[]
  ? readonly Flat<E>[]
  : T extends object
    ? { [K in keyof T]: Flat<T[K]> }
    : T;
const returns =
  <Expected>() =>
  <Result>(_document: Selected<Result>, _same: Same<Flat<Result>, Flat<Expected>>): void => {};

const id: DID = 'did:…';

export function results(show: boolean): void {
  returns<{ readonly content: { readonly id: DID; readonly metadata: { readonly title: string } } }>()(
    query({ content: [{ id }, { id: true, metadata: { title: true } }] }),
    true,
  );
  // Aliases, lists, arguments of an inner field.
  returns<{
    readonly newest: {
      readonly totalCount: number;
      readonly edges: readonly { readonly cursor: string; readonly node: { readonly publishedAt: string | null } }[];
    };
  }>()(
    query({
      'newest: contents': [
        { first: 3, sort: 'NEWEST' },
        { totalCount: true, edges: { cursor: true, node: { publishedAt: true } } },
      ],
    }),
    true,
  );
  // Optional arguments may be left out; a program may decide at run time.
  returns<{ readonly me: { readonly username: string | undefined } }>()(query({ me: { username: show } }), true);
  // Interfaces and unions: one member for each type.
  const found = query({
    content: [{ id }, { __typename: true, id: true, on: { Serie: { seasons: { totalCount: true } } } }],
  });
  returns<{
    readonly content:
      | { readonly __typename: 'Serie'; readonly id: DID; readonly seasons: { readonly totalCount: number } }
      | { readonly __typename: 'Episode' | 'Feature' | 'Miniseries' | 'Season' | 'Short' | 'Stream'; readonly id: DID };
  }>()(found, true);
}

export async function narrowing(client: CoreClient): Promise<void> {
  const { node } = await client.request(
    query({
      node: [{ id }, { __typename: true, on: { Content: { metadata: { title: true } }, Channel: { name: true } } }],
    }),
  );
  if (node?.__typename === 'Channel') node.name.toUpperCase();
  if (node?.__typename === 'Feature') node.metadata.title.toUpperCase();
  // @ts-expect-error: a channel has no metadata
  if (node?.__typename === 'Channel') node.metadata.title;
  // @ts-expect-error: nothing is selected of a playlist
  if (node?.__typename === 'Playlist') node.title;
  for await (const message of client.subscribe(subscription({ contentUpdated: [{ id }, { status: true }] })))
    message.data.contentUpdated.status satisfies string;
  const { createContent } = await client.request(
    mutation({ createContent: [{ input: { title: 'x' } }, { id: true }] }),
  );
  createContent satisfies { readonly id: DID };
  const list = query({
    contents: [page, { pageInfo: { hasNextPage: true, endCursor: true }, edges: { cursor: true, node: { id: true } } }],
  });
  for await (const content of client.paginate(list, {}, (data) => data.contents)) content.id satisfies DID;
}

const card = { id: true, metadata: { title: true } } satisfies Selection<'Content'>;

export function shared(): void {
  returns<{
    readonly content: { readonly id: DID; readonly metadata: { readonly title: string }; readonly status: 'x' } | null;
  }>()(query({ content: [{ id }, { ...card, status: true }] }), false);
  returns<{ readonly feature: { readonly id: DID; readonly metadata: { readonly title: string } } }>()(
    query({ feature: [{ id }, card] }),
    true,
  );
}

export function refused(): void {
  // @ts-expect-error: an unknown root field
  query({ kontent: true });
  // @ts-expect-error: an unknown field beside a known one
  query({ me: { username: true, nickname: true } });
  // @ts-expect-error: an unknown field, deep inside
  query({ content: [{ id }, { id: true, metadata: { title: true, titel: true } }] });
  // @ts-expect-error: an unknown field behind an alias
  query({ me: { 'name: nickname': true } });
  // @ts-expect-error: an unknown field in a field with an alias
  query({ 'mine: me': { nickname: true } });
  // @ts-expect-error: a required argument is missing
  query({ job: { id: true } });
  // @ts-expect-error: an argument of the wrong type
  query({ content: [{ id: 7 }, { id: true }] });
  // @ts-expect-error: an unknown argument
  query({ content: [{ id, title: 'x' }, { id: true }] });
  // @ts-expect-error: an unknown argument behind an alias
  query({ 'one: content': [{ id, title: 'x' }, { id: true }] });
  // @ts-expect-error: an unknown enum value
  query({ contents: [{ sort: 'LOUDEST' }, { totalCount: true }] });
  // @ts-expect-error: an unknown field of an input
  mutation({ createContent: [{ input: { title: 'x', colour: 'red' } }, { id: true }] });
  // @ts-expect-error: a value selected as an object
  query({ me: { username: { length: true } } });
  // @ts-expect-error: an object selected as a value
  query({ content: [{ id }, { metadata: true }] });
  // @ts-expect-error: nothing selected of an object
  query({ content: [{ id }, {}] });
  // @ts-expect-error: nothing selected at all
  query({});
  // @ts-expect-error: a type that the interface never is
  query({ content: [{ id }, { id: true, on: { Channel: { name: true } } }] });
  // @ts-expect-error: an unknown field of a type
  query({ content: [{ id }, { id: true, on: { Serie: { wheels: true } } }] });
  // @ts-expect-error: an unknown field of a named selection
  ({ id: true, titel: true }) satisfies Selection<'Content'>;
  // @ts-expect-error: a mutation is no query
  query({ createContent: [{ input: { title: 'x' } }, { id: true }] });
}
