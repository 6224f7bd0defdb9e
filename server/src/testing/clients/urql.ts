import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { type GraphQLSchema, introspectionFromSchema } from 'graphql';
import { type CachingClient, LIST, MUTATIONS, type Page, type Send } from './documents.ts';

/** urql with its normalized cache, which knows the schema; no other configuration. */
export function openUrql(schema: GraphQLSchema, send: Send): CachingClient {
  const client = new Client({
    url: 'http://api.invalid/graphql',
    preferGetMethod: false,
    exchanges: [cacheExchange({ schema: introspectionFromSchema(schema), keys: KEYLESS }), fetchExchange],
    fetch: async (_address, init) => {
      const { query, variables } = JSON.parse(String(init?.body)); // as urql sends it
      return Response.json(await send(query, variables));
    },
  });
  return {
    async load(channel) {
      const { error } = await client.query(LIST, { channel }, { requestPolicy: 'network-only' });
      if (error) throw error;
    },
    shown(channel) {
      const read = client.readQuery<Page>(LIST, { channel }, { requestPolicy: 'cache-only' });
      if (!read?.data) throw new Error('urql has no whole page');
      return read.data;
    },
    async mutate(name, variables) {
      const { error } = await client.mutation(MUTATIONS[name], variables);
      if (error) throw error;
    },
  };
}

/** Objects that are part of another: urql asks for a declaration. */
const KEYLESS = Object.fromEntries(['ContentLikes', 'FeatureMetadata'].map((name) => [name, () => null]));
