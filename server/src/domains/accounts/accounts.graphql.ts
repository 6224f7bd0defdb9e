import type { EntityRef, Graph } from '../../gql/index.ts';
import { declareAdministration } from './administration/administration.graphql.ts';
import { declareConnection } from './keys/connection.graphql.ts';
import { declareDeveloperSettings } from './keys/developer-settings.graphql.ts';
import { declareRateLimit } from './keys/rate-limit.graphql.ts';
import { declareUsageLimits } from './keys/usage-limits.graphql.ts';
import { declareNode } from './node.graphql.ts';
import { declareOperators } from './operators/operators.graphql.ts';
import { declarePayments } from './payments/payments.graphql.ts';
import { declareMe } from './settings/me.graphql.ts';
import { declareProfile } from './settings/profile.graphql.ts';
import { declareSubscription } from './subscriptions/subscription.graphql.ts';
import { declareTokens } from './tokens/tokens.graphql.ts';

/** Types that higher domains extend. */
export interface AccountTypes {
  /** The interface of all objects with an identifier. */
  readonly Node: EntityRef;
  /** The account that makes the request; its rows are the viewer's. */
  readonly Me: EntityRef;
  /** What a credential grants; its rows are the viewer's. */
  readonly VerifyConnectionResult: EntityRef;
  /** An account as operators see it. */
  readonly Account: EntityRef;
  /** Where mail of the server goes. */
  readonly MailTransport: ReturnType<typeof declareAdministration>['MailTransport'];
  /** The public profile of an account; its rows are accounts. */
  readonly Profile: EntityRef;
}

/** Declares this domain's part of the schema; higher domains extend the returned types. */
export function declareAccounts(graph: Graph): AccountTypes {
  const { Subscription, State, PlanCode, Interval } = declareSubscription(graph);
  const VerifyConnectionResult = declareConnection(graph, State);
  const Node = declareNode(graph);
  const DeveloperSettings = declareDeveloperSettings(graph, Subscription);
  declareUsageLimits(graph, { Node, DeveloperSettings });
  declareTokens(graph, { Node, DeveloperSettings });
  declareRateLimit(graph);
  const Me = declareMe(graph, Subscription);
  declareOperators(graph, { Node, Me });
  const { Account, MailTransport } = declareAdministration(graph, { Node, Subscription, State, PlanCode });
  declarePayments(graph, { Me, PlanCode, Interval });
  return { Node, Me, Account, MailTransport, VerifyConnectionResult, Profile: declareProfile(graph, Me) };
}
