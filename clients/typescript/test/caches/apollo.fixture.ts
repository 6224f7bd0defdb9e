import { ApolloClient, ApolloLink, InMemoryCache, Observable } from '@apollo/client';
import { parse, print } from 'graphql';
import { possibleTypes, typePolicies } from '../../src/caches/apollo.ts';
import { type Application, COMMENT, mutations, type Send, type View, views } from './views.fixture.ts';

const document = (text: string) => parse(text, { noLocation: true });
const DOCUMENTS = views();
const COMMENT_EDGE = document('fragment NewComment on Comment { id body }');

export function openApollo(send: Send): Application {
  const link = new ApolloLink(
    ({ query, variables }) =>
      new Observable((observer) => {
        send(print(query), variables).then(
          (result) => {
            observer.next(result as ApolloLink.Result); // as GraphQL defines responses
            observer.complete();
          },
          (error: unknown) => observer.error(error),
        );
      }),
  );
  const client = new ApolloClient({ link, cache: new InMemoryCache({ possibleTypes, typePolicies }) });
  const more = new Map<View, (after: string) => Promise<unknown>>();
  return {
    async open(name, variables) {
      const query = client.watchQuery({ query: document(DOCUMENTS[name]), variables });
      await new Promise<void>((resolve, reject) => {
        query.subscribe(({ dataState, error }) => {
          if (error) reject(error);
          else if (dataState === 'complete') resolve();
        });
      });
      const view: View = {
        shown: () => {
          const { data, dataState } = query.getCurrentResult();
          if (dataState !== 'complete') throw new Error(`Apollo Client has ${dataState} data of ${name}`);
          return data;
        },
      };
      more.set(view, (after) => query.fetchMore({ variables: { after } }));
      return view;
    },
    async mutate(name, variables) {
      await client.mutate({ mutation: document(mutations[name]), variables });
    },
    async comment(id, body) {
      await client.mutate<{ createComment: { content: { __typename: string; id: string } } }>({
        mutation: document(COMMENT),
        variables: { id, body },
        update(cache, { data }) {
          const comment = data?.createComment;
          if (!comment) return;
          const node = cache.writeFragment({ fragment: COMMENT_EDGE, data: comment });
          const edge = { __typename: 'CommentEdge', node };
          cache.modify({
            id: cache.identify(comment.content) ?? comment.content.id,
            fields: { comments: (list) => (list.edges ? { ...list, edges: [edge, ...list.edges] } : list) },
          });
        },
      });
    },
    async nextPage(view, after) {
      await more.get(view)?.(after);
    },
  };
}
