import { Client, fetchExchange } from '@urql/core';
import { cacheExchange, type Entity } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { type GraphQLSchema, introspectionFromSchema } from 'graphql';
import { keys } from '../../src/caches/urql.ts';
import { type Application, COMMENT, mutations, type Send, type Values, type View, views } from './views.fixture.ts';

const DOCUMENTS = views();

export function openUrql(schema: GraphQLSchema, send: Send): Application {
  const client = new Client({
    url: 'http://api.invalid/graphql',
    preferGetMethod: false,
    exchanges: [
      cacheExchange({
        schema: introspectionFromSchema(schema),
        keys,
        resolvers: { Channel: { features: relayPagination() } },
        updates: {
          Mutation: {
            createComment(result, _args, cache) {
              const { content } = result.createComment as { content: Entity }; // as it is selected
              for (const field of cache.inspectFields(content))
                if (field.fieldName === 'comments') cache.invalidate(content, field.fieldKey);
            },
          },
        },
      }),
      fetchExchange,
    ],
    fetch: async (_address, init) => {
      const { query, variables } = JSON.parse(String(init?.body)); // as urql sends it
      return Response.json(await send(query, variables));
    },
  });
  const show = async (view: { latest?: unknown; stop?: () => void }, text: string, variables: Values) => {
    view.stop?.();
    await new Promise<void>((resolve, reject) => {
      const { unsubscribe } = client.query(text, variables).subscribe(({ data, error, stale }) => {
        if (error) reject(error);
        view.latest = data;
        if (!stale) resolve();
      });
      view.stop = unsubscribe;
    });
  };
  const run = async (text: string, variables: Values) => {
    const { error } = await client.mutation(text, variables);
    if (error) throw error;
  };
  const lists = new Map<View, (after: string) => Promise<void>>();
  return {
    async open(name, variables) {
      const open: Parameters<typeof show>[0] = {};
      await show(open, DOCUMENTS[name], variables);
      const view: View = { shown: () => open.latest ?? missing(name) };
      lists.set(view, (after) => show(open, DOCUMENTS[name], { ...variables, after }));
      return view;
    },
    mutate: (name, variables) => run(mutations[name], variables),
    comment: (id, body) => run(COMMENT, { id, body }),
    async nextPage(view, after) {
      await lists.get(view)?.(after);
    },
  };
}

function missing(name: string): never {
  throw new Error(`urql has no data of ${name}`);
}
