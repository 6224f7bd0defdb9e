import { type CommandContext, countRows, type EntityRef, type Graph } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { declareOperatorActions } from '../operator-actions/operator-actions.graphql.ts';
import type { SubscriptionTypes } from '../subscriptions/subscription.graphql.ts';
import { administered, lastActiveAt } from './administration.sql.ts';
import { declareMail } from './mail.graphql.ts';

/** `totalCount` of accounts counts at most so many. */
const MOST_COUNTED = 10_000;

interface Types {
  readonly Node: EntityRef;
  readonly Subscription: EntityRef;
  readonly State: SubscriptionTypes['State'];
  readonly PlanCode: SubscriptionTypes['PlanCode'];
}

/** Declares what operators see and change of accounts, and the log of what they did. */
export function declareAdministration(graph: Graph, types: Types) {
  const Account = declareAccount(graph, types);
  graph.queryConnection('accounts', {
    access: 'account:administer',
    type: Account,
    description:
      `Accounts of this server, newest first; totalCount counts at most ${MOST_COUNTED}. ` + 'For signed-in operators.',
    args: (t) => ({
      search: t.string({ description: 'Only accounts with this text in username, email address or display name.' }),
      suspended: t.boolean({ description: 'Only suspended accounts, or only others.' }),
      closed: t.boolean({ description: 'Only accounts that are going to be deleted, or only others.' }),
    }),
    where: (child, s, args) => administered(child, s, args),
    order: (child) => [`${child}.created_at`, `${child}.id`],
    total: (s, args) => countRows('accounts', (row) => administered(row, s, args), MOST_COUNTED),
  });
  declareMutations(graph, Account, types);
  declareOperatorActions(graph, { Node: types.Node, Account });
  return { Account, MailTransport: declareMail(graph) };
}

function declareAccount(graph: Graph, { Node, Subscription }: Types): EntityRef {
  return graph.entity('Account', {
    description: 'An account of this server, as its operators see it.',
    table: 'accounts',
    interfaces: [Node],
    node: { kinds: ['user'], where: (_, s) => `${s.viewer}.is_operator` },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('user', id),
      }),
      username: f.column({ type: 'String', description: 'Unique name.', sql: (s) => `${s.t}.username` }),
      displayName: f.column({ type: 'String', description: 'Display name.', sql: (s) => `${s.t}.name` }),
      email: f.column({ type: 'String', description: 'Email address.', sql: (s) => `${s.t}.email` }),
      emailConfirmed: f.column({
        type: 'Boolean',
        description: 'Whether the address is confirmed.',
        sql: (s) => `${s.t}.email_verified`,
      }),
      twoFactorEnabled: f.column({
        type: 'Boolean',
        description: 'Whether signing in needs a second factor.',
        sql: (s) => `${s.t}.two_factor_enabled`,
      }),
      isOperator: f.column({
        type: 'Boolean',
        description: 'Whether it is an operator of this server.',
        sql: (s) => `${s.t}.is_operator`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      lastActiveAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When a browser in which it is signed in was last active, to the day; null without one.',
        sql: (s) => lastActiveAt(s.t),
      }),
      suspendedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it was suspended; null if it is not.',
        sql: (s) => `${s.t}.suspended_at`,
      }),
      suspensionReason: f.column({
        type: 'String',
        nullable: true,
        description: 'The reason that it was sent.',
        sql: (s) => `${s.t}.suspension_reason`,
      }),
      deletesAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it will be deleted, because its owner closed it; null if it will not.',
        sql: (s) => `${s.t}.deletes_at`,
      }),
      subscription: f.one({
        type: Subscription,
        description: 'Its plan.',
        on: (child, s) => `${child}.account_id = ${s.t}.id`,
      }),
    }),
  });
}

function declareMutations(graph: Graph, Account: EntityRef, { State, PlanCode }: Types): void {
  const id = 'Id of the account.';
  const SuspendAccountInput = graph.builder.inputType('SuspendAccountInput', {
    description: 'Why an account is suspended.',
    fields: (t) => ({
      reason: t.string({ required: true, description: 'The reason, at most 500 characters; the account reads it.' }),
    }),
  });
  graph.mutation('suspendAccount', {
    access: 'account:administer',
    description:
      'Suspends an account: its sessions end, and its API key, tokens and applications are refused at once. What it ' +
      'published stays. The account is notified by email, with the reason. For signed-in operators; not for operators.',
    payload: (f) => ({ account: f.read({ type: Account, description: 'The account.' }) }),
    args: (t) => ({
      id: t.field({ type: 'DID', required: true, description: id }),
      input: t.field({ type: SuspendAccountInput, required: true, description: 'The reason.' }),
    }),
    command: (context, { id: did, input }) =>
      administer(context, did, (operator, account) =>
        context.services.accounts.suspendAccount(operator, account, input.reason),
      ),
  });
  graph.mutation('reinstateAccount', {
    access: 'account:administer',
    description: 'Ends the suspension of an account, which is notified by email. For signed-in operators.',
    payload: (f) => ({ account: f.read({ type: Account, description: 'The account.' }) }),
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: id }) }),
    command: (context, { id: did }) => administer(context, did, context.services.accounts.reinstateAccount),
  });
  graph.mutation('sendPasswordReset', {
    access: 'account:administer',
    description: 'Sends an account a link that resets its password; it works for an hour. For signed-in operators.',
    payload: (f) => ({ account: f.read({ type: Account, description: 'The account.' }) }),
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: id }) }),
    command: (context, { id: did }) => administer(context, did, context.services.accounts.sendPasswordReset),
  });
  declareSetPlan(graph, Account, { State, PlanCode });
}

function declareSetPlan(
  graph: Graph,
  Account: EntityRef,
  { State, PlanCode }: Pick<Types, 'State' | 'PlanCode'>,
): void {
  const SetAccountPlanInput = graph.builder.inputType('SetAccountPlanInput', {
    description: 'Plan and state of a subscription.',
    fields: (t) => ({
      plan: t.field({ type: PlanCode, required: true, description: 'The plan.' }),
      state: t.field({
        type: State,
        required: true,
        defaultValue: 'ACTIVE',
        description: 'The state; Free is always ACTIVE.',
      }),
      endsAt: t.field({
        type: 'DateTime',
        description: 'End of the trial or of the canceled subscription, or when it expired.',
      }),
    }),
  });
  graph.mutation('setAccountPlan', {
    access: 'account:administer',
    description: 'Sets plan and state of an account, whatever they were before. For signed-in operators.',
    payload: (f) => ({ account: f.read({ type: Account, description: 'The account.' }) }),
    args: (t) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the account.' }),
      input: t.field({ type: SetAccountPlanInput, required: true, description: 'The plan.' }),
    }),
    command: (context, { id, input }) =>
      administer(context, id, (operator, account) =>
        context.services.accounts.setAccountPlan(operator, account, input),
      ),
  });
}

/** Runs an operator's command for an account, which the mutation then returns. */
async function administer(
  context: CommandContext,
  did: string,
  command: (operatorId: string, accountId: string) => Promise<void>,
): Promise<string> {
  if (!context.viewer) throw new AppError('UNAUTHENTICATED');
  const { id } = context.parseDid(did, ['user'], 'id');
  await command(context.viewer.accountId, id);
  return id;
}
