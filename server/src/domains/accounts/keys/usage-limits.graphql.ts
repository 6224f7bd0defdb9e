import {
  CHANGES_HELP,
  changeInputFields,
  countRows,
  type EntityRef,
  type Graph,
  ifRevisionField,
  outputFields,
  type RowScope,
  revisionField,
} from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { KeyBudget } from '../../../kernel/key-budgets.ts';
import { isOwn } from '../viewer.sql.ts';
import { ACTIVITY_DAYS } from './api-key-audit-log.ts';
import { USAGE_LIMIT_FIELDS } from './usage-limit-fields.ts';
import { USAGE_LIMITS } from './usage-limits.sql.ts';

const MAX_COUNTED = 10_000;

/**
 * Declares the usage limits of an account's key, and the key's audit log. For signed-in sessions: a key cannot raise
 * its own limits.
 */
export function declareUsageLimits(
  graph: Graph,
  { Node, DeveloperSettings }: Record<'Node' | 'DeveloperSettings', EntityRef>,
): void {
  declareSetBudgets(graph, declareBudgets(graph, DeveloperSettings));
  declareActivity(graph, { Node, DeveloperSettings });
}

function declareBudgets(graph: Graph, DeveloperSettings: EntityRef): EntityRef {
  const spent = (budget: KeyBudget) => (s: RowScope) =>
    `api_key_usage_total(${s.t}.account_id, '${budget}', ${s.param((env) => env.nowIso, 'timestamptz')})`;
  const KeyBudgets = graph.entity('KeyBudgets', {
    description: "Usage limits of the account's key, for the API and for agents. Null: no limit.",
    table: USAGE_LIMITS,
    key: 'account_id',
    fields: (f) => ({
      ...outputFields(f, USAGE_LIMIT_FIELDS),
      revision: revisionField(f),
      deletesSpent: f.column({
        type: 'Float',
        description: 'Deletions in the last 24 hours that count.',
        sql: spent('DELETES'),
      }),
      publishesSpent: f.column({
        type: 'Float',
        description: 'Publications in the last hour that count.',
        sql: spent('PUBLISHES'),
      }),
      processingMinutesSpent: f.column({
        type: 'Float',
        description: 'Minutes processed in the last 24 hours.',
        sql: spent('PROCESSING_MINUTES'),
      }),
    }),
  });
  graph.extend(DeveloperSettings, (f) => ({
    budgets: f.one({
      type: KeyBudgets,
      nullable: true,
      description: 'The usage limits of the key; null if none was ever set.',
      on: (child, s) => `${child}.account_id = ${s.t}.account_id and ${child}.revision > 0`,
    }),
  }));
  return KeyBudgets;
}

function declareSetBudgets(graph: Graph, KeyBudgets: EntityRef): void {
  const SetKeyBudgetsInput = graph.builder.inputType('SetKeyBudgetsInput', {
    description: `Changes to the usage limits of the key; null is no limit. ${CHANGES_HELP}`,
    fields: (t) => ({ ...changeInputFields(t, USAGE_LIMIT_FIELDS), ifRevision: ifRevisionField(t, 'the limits') }),
  });
  graph.mutation('setKeyBudgets', {
    access: 'api_key:manage',
    description:
      "Changes the usage limits of the account's key. For sessions only: a key cannot change its own limits.",
    payload: (f) => ({ budgets: f.read({ type: KeyBudgets, description: 'The usage limits.' }) }),
    args: (t) => ({ input: t.field({ type: SetKeyBudgetsInput, required: true, description: 'The changes.' }) }),
    command: async (context, { input }) => {
      const { viewer, services } = context;
      if (!viewer) throw new AppError('UNAUTHENTICATED');
      await services.accounts.setKeyBudgets(viewer.accountId, input, context);
      return viewer.accountId;
    },
  });
}

function declareActivity(
  graph: Graph,
  { Node, DeveloperSettings }: Record<'Node' | 'DeveloperSettings', EntityRef>,
): void {
  const KeyActivityVia = graph.builder.enumType('KeyActivityVia', {
    description: 'The entry point of a request.',
    values: {
      API: { description: 'GraphQL over HTTP.' },
      MCP: { description: 'An agent, over the Model Context Protocol.' },
    },
  });
  const KeyAction = graph.entity('KeyAction', {
    description:
      "A mutation that was sent with the account's key, one of its tokens or by a connected application. " +
      `Kept for ${ACTIVITY_DAYS} days.`,
    table: 'api_key_audit_log',
    interfaces: [Node],
    node: { kinds: ['keyAction'], where: (child, s) => isOwn(child, s) },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id.',
        sql: (s) => `${s.t}.id`,
        read: (id: string, env) => env.did('keyAction', id),
      }),
      at: f.column({ type: 'DateTime', description: 'When.', sql: (s) => `${s.t}.at` }),
      via: f.column({ type: KeyActivityVia, description: 'The entry point.', sql: (s) => `${s.t}.via` }),
      agent: f.column({
        type: 'String',
        description: 'Name of the client as it identifies itself; empty if it does not.',
        sql: (s) => `${s.t}.agent`,
      }),
      token: f.column({
        type: 'String',
        nullable: true,
        description: 'Name of the scoped token; null for the API key and for connected applications.',
        sql: (s) => `${s.t}.token`,
      }),
      operation: f.column({ type: 'String', description: 'Name of the mutation.', sql: (s) => `${s.t}.operation` }),
      subject: f.column({
        type: 'String',
        nullable: true,
        description: 'Id of the object; null if the mutation has none.',
        sql: (s) => `${s.t}.subject`,
      }),
      outcome: f.column({ type: 'String', description: 'OK, or the code of the error.', sql: (s) => `${s.t}.outcome` }),
    }),
  });
  graph.extend(DeveloperSettings, (f) => ({
    activity: f.connection({
      type: KeyAction,
      description:
        `The audit log of the key and the tokens: their mutations of the last ${ACTIVITY_DAYS} ` +
        `days, newest first. totalCount counts at most ${MAX_COUNTED}.`,
      where: (child, s) => `${child}.account_id = ${s.t}.account_id`,
      order: (child) => [`${child}.id`],
      total: (s) => countRows('api_key_audit_log', (row) => `${row}.account_id = ${s.t}.account_id`, MAX_COUNTED),
    }),
  }));
}
