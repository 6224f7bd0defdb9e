import type { GraphQLSchema } from 'graphql';
import {
  ConnectionHandler,
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  type GraphQLSingularResponse,
  type GraphQLTaggedNode,
  type MutationParameters,
  Network,
  RecordSource,
  Store,
} from 'relay-runtime';
import { compiledByRelay } from '../../../../server/src/testing/clients/relay.ts';
import { getDataID } from '../../src/caches/relay.ts';
import { type Application, COMMENT, mutations, type Send, type Values, type View, views } from './views.fixture.ts';

const DOCUMENTS = views((key) => `@connection(key: "${key}")`);
const NEW_COMMENT = COMMENT.replace('$body: String!', '$body: String!, $connections: [ID!]!').replace(
  'body: $body)',
  'body: $body) @prependNode(connections: $connections, edgeTypeName: "CommentEdge")',
);

export async function openRelay(schema: GraphQLSchema, send: Send): Promise<Application> {
  const texts = [...Object.values(DOCUMENTS), ...Object.values(mutations), NEW_COMMENT];
  const artifacts = await compiledByRelay(schema, texts);
  // As the compiler writes it.
  const artifact = (text: string) =>
    artifacts.get(/(?:query|mutation) (\w+)/.exec(text)?.[1] ?? '') as GraphQLTaggedNode;
  const network = Network.create(
    async ({ text }, variables) => (await send(text ?? '', variables)) as GraphQLSingularResponse, // as GraphQL has it
  );
  const environment = new Environment({ network, store: new Store(new RecordSource()), getDataID });
  const run = (text: string, variables: Values) =>
    new Promise<void>((onCompleted, onError) => {
      commitMutation<MutationParameters>(environment, {
        mutation: artifact(text),
        variables,
        onCompleted: (_, errors) => (errors ? onError(errors) : onCompleted()),
        onError,
      });
    });
  const lists = new Map<View, (after: string) => Promise<unknown>>();
  return {
    async open(name, variables) {
      const request = artifact(DOCUMENTS[name]) as Parameters<typeof createOperationDescriptor>[0]; // queries are
      const operation = createOperationDescriptor(request, variables);
      environment.retain(operation);
      const load = (more: Values) =>
        fetchQuery(environment, artifact(DOCUMENTS[name]), { ...variables, ...more }).toPromise();
      // As `useLazyLoadQuery` does with the policy `store-or-network`.
      if (environment.check(operation).status !== 'available') await load({});
      const view: View = {
        shown() {
          const { data, isMissingData } = environment.lookup(operation.fragment);
          if (isMissingData) throw new Error(`Relay misses data of ${name}`);
          return data;
        },
      };
      lists.set(view, (after) => load({ after }));
      return view;
    },
    mutate: (name, variables) => run(mutations[name], variables),
    comment: (id, body) =>
      run(NEW_COMMENT, { id, body, connections: [ConnectionHandler.getConnectionID(id, 'page_comments')] }),
    async nextPage(view, after) {
      await lists.get(view)?.(after);
    },
  };
}
