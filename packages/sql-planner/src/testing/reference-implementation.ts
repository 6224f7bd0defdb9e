import { buildSchema, type ExecutionResult, type GraphQLSchema, graphqlSync, printSchema } from 'graphql';
import { CursorCodec } from '../statements/cursor.ts';
import type { CountingClient } from './counting-client.ts';
import type { ExampleData, ExampleRow, Maker, Tag, Thing } from './example.ts';

interface PageArgs {
  first?: number | null;
  last?: number | null;
  after?: string | null;
  before?: string | null;
}

/**
 * Runs queries on the example's rows with plain resolvers and arrays: slow, obvious, and independent of the planner.
 */
export class ReferenceImplementation {
  readonly #data: ExampleData;
  readonly #ownerId: string;
  readonly #instants: ReadonlyMap<string, string>;
  readonly #schema: GraphQLSchema;

  private constructor(
    schema: GraphQLSchema,
    data: ExampleData,
    ownerId: string,
    instants: ReadonlyMap<string, string>,
  ) {
    this.#schema = buildSchema(printSchema(schema));
    this.#data = data;
    this.#ownerId = ownerId;
    this.#instants = instants;
  }

  /** Reads the times as PostgreSQL writes them, which cursors contain. */
  static async over(
    schema: GraphQLSchema,
    db: CountingClient,
    data: ExampleData,
    ownerId: string,
  ): Promise<ReferenceImplementation> {
    const text =
      'select id, made_at::text as at from makers union all select id, made_at::text from things ' +
      'union all select id, made_at::text from tags';
    const rows = await db.query<{ id: string; at: string }>(text);
    return new ReferenceImplementation(schema, data, ownerId, new Map(rows.map((row) => [row.id, row.at])));
  }

  run(source: string, variables: Record<string, unknown>): ExecutionResult {
    const root = {
      me: () => ({
        username: 'ada',
        makers: this.#list(
          'Me.makers',
          () => this.#data.makers.filter((row) => row.owner_id === this.#ownerId),
          this.#maker,
        ),
      }),
      makers: this.#list('Query.makers', () => this.#data.makers, this.#maker),
      things: this.#list('Query.things', () => this.#data.things.filter((row) => !row.hidden), this.#thing),
      maker: ({ id }: { id: string }) => this.#byId(id),
      node: ({ id }: { id: string }) => this.#byId(id),
      nodes: ({ ids }: { ids: string[] }) => ids.map((id) => this.#byId(id)),
    };
    return graphqlSync({ schema: this.#schema, source, variableValues: variables, rootValue: root });
  }

  #byId(text: string): unknown {
    const id = text.slice(text.lastIndexOf('/') + 1);
    const maker = this.#data.makers.find((row) => row.id === id);
    const thing = this.#data.things.find((row) => row.id === id && (!row.hidden || this.#owner(row.maker_id)));
    const tag = this.#data.tags.find((row) => row.id === id);
    return maker ? this.#maker(maker) : thing ? this.#thing(thing) : tag ? this.#tag(tag) : null;
  }

  #owner(makerId: string): boolean {
    return this.#data.makers.some((row) => row.id === makerId && row.owner_id === this.#ownerId);
  }

  #maker = (row: Maker): unknown => ({
    __typename: 'Maker',
    id: `maker/${row.id}`,
    name: row.name,
    favourite: () => this.#data.things.filter((thing) => thing.id === row.favourite_id).map(this.#thing)[0] ?? null,
    things: (args: PageArgs & { kind?: string | null; like?: string | null }) => {
      const ofKind = this.#things(row).filter((thing) => !args.kind || thing.kind === args.kind);
      const list = this.#list(
        'Maker.things',
        () => ofKind.filter((thing) => !args.like || thing.title.includes(args.like)),
        this.#thing,
      )(args);
      // The example's total counts only by kind.
      return { ...list, totalCount: ofKind.length };
    },
    tags: this.#list('Maker.tags', () => this.#data.tags.filter((tag) => tag.maker_id === row.id), this.#tag),
    hiddenThings: (args: PageArgs) =>
      row.owner_id === this.#ownerId
        ? this.#list('Maker.hiddenThings', () => this.#things(row).filter((thing) => thing.hidden), this.#thing)(args)
        : null,
    items: (args: PageArgs) => ({
      ...this.#list('Maker.items', () => this.#things(row), this.#item)(args),
      totalCount: 0,
    }),
  });

  #things(maker: Maker): Thing[] {
    return this.#data.things.filter((thing) => thing.maker_id === maker.id);
  }

  #tagsOf(thing: Thing): Tag[] {
    return this.#data.tags.filter((tag) => tag.thing_id === thing.id);
  }

  #thing = (row: Thing): unknown => {
    const looks = {
      title: `looking at ${row.title}`,
      tags: this.#list('ThingLooks.tags', () => this.#tagsOf(row), this.#tag),
    };
    return {
      __typename: 'Thing',
      id: `${row.kind.toLowerCase()}/${row.id}`,
      kind: row.kind,
      title: row.title,
      nonEmptyTitle: row.title,
      weight: row.weight,
      madeAt: new Date(row.made_at).toISOString(),
      facts: row.facts,
      shout: ({ times }: { times: number }) => row.title.repeat(times),
      looks,
      secretLooks: row.hidden ? looks : null,
      maker: () => this.#data.makers.filter((maker) => maker.id === row.maker_id).map(this.#maker)[0],
      newestTag: () => this.#sorted(this.#tagsOf(row)).map(this.#tag)[0] ?? null,
      tags: this.#list('Thing.tags', () => this.#tagsOf(row), this.#tag),
    };
  };

  #item = (row: Thing): unknown => {
    const looks = { __typename: `${row.kind}Looks`, title: `item ${row.title}` };
    const common = {
      __typename: row.kind,
      id: `${row.kind.toLowerCase()}/${row.id}`,
      maker: () => this.#data.makers.filter((maker) => maker.id === row.maker_id).map(this.#maker)[0],
      tags: (args: PageArgs) => ({
        ...this.#list('Item.tags', () => this.#tagsOf(row), this.#tag)(args),
        totalCount: 0,
      }),
    };
    return row.kind === 'Book'
      ? {
          ...common,
          title: row.title,
          looks: { ...looks, cover: `cover ${row.title}` },
          newestTag: () => this.#sorted(this.#tagsOf(row)).map(this.#tag)[0] ?? null,
        }
      : { ...common, title: `tool: ${row.title}`, looks: { ...looks, handle: `handle ${row.title}` } };
  };

  #tag = (row: Tag): unknown => ({
    __typename: 'Tag',
    id: `tag/${row.id}`,
    label: row.label,
    thing: () => this.#data.things.filter((thing) => thing.id === row.thing_id).map(this.#thing)[0],
  });

  #sorted<Row extends ExampleRow>(rows: readonly Row[]): Row[] {
    const key = (row: Row) => `${this.#instants.get(row.id)} ${row.id}`;
    return [...rows].sort((a, b) => (key(a) < key(b) ? 1 : -1));
  }

  /** The Relay pagination algorithm, word by word. */
  #list<Row extends ExampleRow>(name: string, rows: () => Row[], node: (row: Row) => unknown) {
    const codec = new CursorCodec(name, 2);
    return (args: PageArgs) => {
      const all = this.#sorted(rows()).map((row) => ({
        node: () => node(row),
        cursor: codec.encode([this.#instants.get(row.id) ?? '', row.id]),
      }));
      const after = args.after == null ? -1 : all.findIndex((edge) => edge.cursor === args.after);
      const before = args.before == null ? all.length : all.findIndex((edge) => edge.cursor === args.before);
      const between = all.slice(after + 1, Math.max(before, after + 1));
      const size = args.first ?? args.last ?? 20;
      const edges = args.last == null ? between.slice(0, size) : between.slice(Math.max(0, between.length - size));
      return {
        totalCount: all.length,
        edges,
        pageInfo: {
          hasPreviousPage: args.last == null ? after >= 0 : between.length > size || after >= 0,
          hasNextPage: args.last == null ? between.length > size || before < all.length : before < all.length,
          startCursor: edges[0]?.cursor ?? null,
          endCursor: edges.at(-1)?.cursor ?? null,
        },
      };
    };
  }
}
