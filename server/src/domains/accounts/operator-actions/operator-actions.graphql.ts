import { countRows, type EntityRef, type Graph } from '../../../gql/index.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { StoredText } from '../../../kernel/languages/message.ts';
import { OPERATOR_ACTIONS } from './operator-action-kinds.ts';

/** `totalCount` counts at most so many. */
const MOST_COUNTED = 10_000;

/** Declares the log of what operators did. */
export function declareOperatorActions(graph: Graph, { Node, Account }: Record<'Node' | 'Account', EntityRef>): void {
  const Kind = graph.builder.enumType('OperatorActionKind', {
    description: 'What an operator did.',
    values: Object.fromEntries(Object.entries(OPERATOR_ACTIONS).map(([kind, description]) => [kind, { description }])),
  });
  const OperatorAction = graph.entity('OperatorAction', {
    description: 'Something that an operator did.',
    table: 'operator_actions',
    interfaces: [Node],
    node: { kinds: ['operatorAction'], where: (_, s) => `${s.viewer}.is_operator` },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('operatorAction', id),
      }),
      at: f.column({ type: 'DateTime', description: 'When it happened.', sql: (s) => `${s.t}.at` }),
      operator: f.column({
        type: 'String',
        description: 'Username of the operator at that time.',
        sql: (s) => `${s.t}.operator_name`,
      }),
      kind: f.column({ type: Kind, description: 'What was done.', sql: (s) => `${s.t}.action` }),
      subject: f.column({
        type: 'String',
        description:
          'What it was done to, by its name at that time: the username of an account, the title of a content.',
        sql: (s) => `${s.t}.subject`,
      }),
      account: f.one({
        type: Account,
        nullable: true,
        description: 'The account that it was done to; null for something else, and once the account is deleted.',
        on: (child, s) => `${child}.id = ${s.t}.account_id`,
      }),
      details: f.column({
        type: 'String',
        description: 'Details, in the language of the request where they are not what somebody wrote; may be empty.',
        sql: (s) => [`${s.t}.details`, `${s.t}.details_text`],
        read: ([details, message]: [string, StoredText | null], env) =>
          message ? localized(message, env.language) : details,
      }),
    }),
  });
  graph.queryConnection('operatorActions', {
    access: 'account:administer',
    type: OperatorAction,
    description:
      'What operators did in the last two years, newest first; totalCount counts at most ' +
      `${MOST_COUNTED}. ` +
      'For signed-in operators.',
    where: (_, s) => `${s.viewer}.is_operator`,
    order: (child) => [`${child}.at`, `${child}.id`],
    total: (s) => countRows('operator_actions', () => `${s.viewer}.is_operator`, MOST_COUNTED),
  });
}
