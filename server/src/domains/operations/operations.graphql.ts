import type { Graph } from '../../gql/index.ts';
import type { AccountTypes } from '../accounts/index.ts';
import { declareServerStatus } from './overview/server-status.graphql.ts';

/** Declares this domain's part of the schema. */
export function declareOperations(graph: Graph, types: Pick<AccountTypes, 'MailTransport'>): void {
  declareServerStatus(graph, types);
}
