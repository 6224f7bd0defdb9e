import type { EntityRef, Graph } from '../../../gql/index.ts';
import { PLANS, type PlanCode } from '../../../kernel/plans.ts';
import type { SubscriptionTypes } from '../subscriptions/subscription.graphql.ts';
import { stateNow } from '../subscriptions/subscription.sql.ts';
import { withAccountRead } from './connection.sql.ts';
import { effectivePermissions } from './key-access.policy.ts';

/**
 * Declares `verifyConnection` (spec: "Account check result"): one row, read by the statement that checks the key. Its
 * rows are the viewer's.
 */
export function declareConnection(graph: Graph, State: SubscriptionTypes['State']): EntityRef {
  const VerifyConnectionUser = declareUser(graph);
  const VerifyConnectionChannel = declareChannel(graph);
  const VerifyConnectionSubscription = declareSubscription(graph, State);
  const VerifyConnectionResult = graph.part('VerifyConnectionResult', {
    description: 'The result of verifying a credential.',
    fields: (f) => ({
      authenticated: f.column({
        type: 'Boolean',
        description: 'Always true: the credential is valid.',
        sql: (s) => `${s.t}.account_id is not null`,
      }),
      user: f.embed({ type: VerifyConnectionUser, description: 'The account that the credential belongs to.' }),
      channel: f.one({
        type: VerifyConnectionChannel,
        description: 'The channel that the credential acts for.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      subscription: f.embed({
        type: VerifyConnectionSubscription,
        description: 'Plan and state behind the credential.',
      }),
      permissions: f.column({
        type: ['String'],
        description: 'The permissions of the credential, as <resource>:<action>.',
        sql: (s) => `${s.t}.account_id`,
        read: (_, env) => (env.viewer ? effectivePermissions(env.viewer, env.nowMs) : []),
      }),
      serverVersion: f.column({
        type: 'String',
        description: 'Version of the server.',
        sql: (s) => `${s.t}.account_id`,
        read: (_, env) => env.services.accounts.serverVersion,
      }),
    }),
  });
  graph.queryViewer('verifyConnection', {
    type: VerifyConnectionResult,
    access: 'authenticated',
    description:
      'Verifies the API key, token or session and returns its account, plan and permissions. Call this first. Every ' +
      'valid credential may; a token without account:read sees neither the email address nor the plan.',
  });
  return VerifyConnectionResult;
}

function declareUser(graph: Graph): EntityRef {
  return graph.part('VerifyConnectionUser', {
    description: 'The account that the credential belongs to.',
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: "Id of the account's own channel.",
        sql: (s) => `${s.t}.channel_id`,
        read: ([id]: [string], env) => env.did('channel', id),
      }),
      username: f.column({ type: 'String', description: 'Unique name of the account.', sql: (s) => `${s.t}.username` }),
      email: f.column({
        type: 'String',
        description: 'Email address of the account; empty without account:read.',
        sql: (s) => withAccountRead(s, `${s.t}.email`, "''"),
      }),
    }),
  });
}

function declareChannel(graph: Graph): EntityRef {
  return graph.entity('VerifyConnectionChannel', {
    description: 'The channel that the credential acts for.',
    table: 'channels',
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the channel.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('channel', id),
      }),
      name: f.column({ type: 'String', description: 'Name of the channel.', sql: (s) => `${s.t}.name` }),
    }),
  });
}

function declareSubscription(graph: Graph, State: SubscriptionTypes['State']): EntityRef {
  return graph.part('VerifyConnectionSubscription', {
    description: 'Plan and state behind the credential.',
    fields: (f) => ({
      plan: f.column({
        type: 'String',
        nullable: true,
        description: 'Name of the plan; null without account:read.',
        sql: (s) => withAccountRead(s, `${s.t}.plan`),
        read: ([plan]: [PlanCode | null]) => plan && PLANS[plan].name,
      }),
      state: f.column({
        type: State,
        nullable: true,
        description: 'Current state; null without account:read.',
        sql: (s) => withAccountRead(s, stateNow(s, s.t)),
      }),
    }),
  });
}
