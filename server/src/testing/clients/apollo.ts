import { ApolloClient, ApolloLink, InMemoryCache, Observable } from '@apollo/client';
import { type GraphQLSchema, isInterfaceType, parse, print } from 'graphql';
import { type CachingClient, LIST, MUTATIONS, type Page, type Send } from './documents.ts';

/** Apollo Client as its guide says: `possibleTypes` of the schema, no other configuration. */
export function openApollo(schema: GraphQLSchema, send: Send): CachingClient {
  const possibleTypes = Object.fromEntries(
    Object.values(schema.getTypeMap())
      .filter(isInterfaceType)
      .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
  );
  const link = new ApolloLink(
    ({ query, variables }) =>
      new Observable((observer) => {
        send(print(query), variables).then(
          (result) => {
            observer.next(result as ApolloLink.Result);
            observer.complete();
          },
          (error: unknown) => observer.error(error),
        );
      }),
  );
  const client = new ApolloClient({ link, cache: new InMemoryCache({ possibleTypes }) });
  const query = parse(LIST, { noLocation: true });
  return {
    async load(channel) {
      await client.query({ query, variables: { channel }, fetchPolicy: 'network-only' });
    },
    shown: (channel) => {
      const page = client.readQuery<Page>({ query, variables: { channel } });
      if (!page) throw new Error('Apollo Client has no whole page');
      return page;
    },
    async mutate(name, variables) {
      await client.mutate({ mutation: parse(MUTATIONS[name], { noLocation: true }), variables });
    },
  };
}
