import { countRows, type EntityRef, type Graph } from '../../../gql/index.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { PERMISSIONS, TEST_TOKEN_PERMISSIONS, TOKEN_PERMISSIONS } from '../../../kernel/permissions.ts';
import { PLANS } from '../../../kernel/plans.ts';
import { accountOf } from '../account-of.ts';
import { curlExample } from '../keys/curl-example.ts';
import { EXPIRED_TOKEN_DAYS, MAX_TOKEN_CHANNELS, MAX_TOKEN_NAME, MAX_TOKENS } from './token.policy.ts';

type Types = Readonly<Record<'Node' | 'DeveloperSettings', EntityRef>>;

/** Declares scoped tokens. For sessions and the account's key: a token cannot make others. */
export function declareTokens(graph: Graph, types: Types): void {
  const Token = declareToken(graph, types);
  graph.queryConnection('tokens', {
    access: 'token:manage',
    type: Token,
    description:
      `The scoped tokens of the account, newest first; at most ${MAX_TOKENS}. Expired ones are listed for ` +
      `${EXPIRED_TOKEN_DAYS} days, revoked ones not at all.`,
    where: (child, s) => `${child}.account_id = ${s.viewer}.account_id`,
    order: (child) => [`${child}.created_at`, `${child}.id`],
    total: (s) => countRows('api_tokens', (row) => `${row}.account_id = ${s.viewer}.account_id`),
  });
  declareChoices(graph, types);
  declareMutations(graph, Token);
}

function declareToken(graph: Graph, { Node }: Types): EntityRef {
  return graph.entity('Token', {
    description: 'A scoped token of an account, without the token itself: a credential with some of its permissions.',
    table: 'api_tokens',
    interfaces: [Node],
    node: {
      kinds: ['token'],
      where: (child, s) => (s.credential === 'token' ? 'false' : `${child}.account_id = ${s.viewer}.account_id`),
    },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('token', id),
      }),
      name: f.column({
        type: 'String',
        description: 'Its name, unique in the account and shown in the audit log.',
        sql: (s) => `${s.t}.name`,
      }),
      hint: f.column({
        type: 'String',
        description: 'Beginning and end of the token, to recognize it.',
        sql: (s) => `${s.t}.hint`,
      }),
      permissions: f.column({
        type: ['String'],
        description: 'Its permissions, as <resource>:<action>. It has those of them that the plan of the account has.',
        sql: (s) => `${s.t}.permissions`,
      }),
      channels: f.column({
        type: ['DID'],
        nullable: true,
        description: 'Ids of the channels that it is limited to; null for all channels of the account.',
        sql: (s) => `${s.t}.channel_ids`,
        read: ([ids]: [string[] | null], env) => ids?.map((id) => env.did('channel', id)) ?? null,
      }),
      isTest: f.column({
        type: 'Boolean',
        description: 'Whether it is in test mode: it acts on the test channel of the account only.',
        sql: (s) => `${s.t}.is_test`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      expiresAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it expires; null if it does not.',
        sql: (s) => `${s.t}.expires_at`,
      }),
      lastUsedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it was last used, to the minute; null if never.',
        sql: (s) => `${s.t}.last_used_at`,
      }),
    }),
  });
}

/** The permissions to choose from, for forms. */
function declareChoices(graph: Graph, { DeveloperSettings }: Types): void {
  const TokenPermission = graph.object('TokenPermission', {
    description: 'A permission that a token can have.',
    fields: (f) => ({
      name: f.value({ type: 'String', description: 'Its name, as <resource>:<action>.' }),
      description: f.value({ type: 'String', description: 'What it allows.' }),
      plan: f.value({ type: 'String', description: 'Name of the lowest plan with it.' }),
      inTestMode: f.value({ type: 'Boolean', description: 'Whether a token in test mode can have it.' }),
    }),
  });
  const choicesIn = (language: Language) =>
    TOKEN_PERMISSIONS.map((name) => ({
      name,
      description: localized(PERMISSIONS[name].allows, language),
      plan: PLANS[PERMISSIONS[name].from].name,
      inTestMode: TEST_TOKEN_PERMISSIONS.includes(name),
    }));
  graph.extend(DeveloperSettings, (f) => ({
    tokenPermissions: f.column({
      type: [TokenPermission],
      description: 'One for each permission that a token can have, grouped by resource.',
      sql: (s) => `${s.t}.account_id`,
      read: (_, env) => choicesIn(env.language),
    }),
  }));
}

function declareMutations(graph: Graph, Token: EntityRef): void {
  const CreateTokenInput = graph.builder.inputType('CreateTokenInput', {
    description: 'A new token.',
    fields: (t) => ({
      name: t.string({
        required: true,
        description: `What uses it, at most ${MAX_TOKEN_NAME} characters; unique in the account.`,
      }),
      permissions: t.stringList({
        required: true,
        description:
          'Its permissions, as <resource>:<action>; a permission to change something includes reading it. Any of ' +
          `${TOKEN_PERMISSIONS.join(', ')}.`,
      }),
      channels: t.field({
        type: ['DID'],
        description:
          `Ids of the channels it is limited to, at most ${MAX_TOKEN_CHANNELS}; omit it for all channels of the ` +
          'account. A limited token sees only what is public of the others, and cannot act on their objects.',
      }),
      expiresAt: t.field({
        type: 'DateTime',
        description: 'When it expires, at most five years ahead; omit it for a token that does not expire.',
      }),
      test: t.boolean({
        description:
          'Whether it is for tests: it begins with "test_" and works in the test channel of the account only, whose ' +
          'contents and playlists nobody else sees and which are deleted after 24 hours. Without the permissions ' +
          `${TOKEN_PERMISSIONS.filter((name) => !TEST_TOKEN_PERMISSIONS.includes(name)).join(', ')}.`,
      }),
    }),
  });
  graph.mutation('createToken', {
    access: 'token:manage',
    payload: (f) => ({
      value: f.value({
        type: 'String',
        secret: true,
        description: 'The token, to send as "Authorization: Bearer <token>". Shown only now.',
      }),
      token: f.read({ type: Token, description: 'Details of the token.' }),
      curlCommand: f.value({ type: 'String', secret: true, description: 'A shell command that verifies the token.' }),
    }),
    description:
      'Creates a scoped token: a credential with some of the permissions of the account, for all or some of its ' +
      'channels. By session or with the API key, not with a token or by a connected application. The account must ' +
      'have the permissions now.',
    args: (t) => ({ input: t.field({ type: CreateTokenInput, required: true, description: 'The token.' }) }),
    command: async (context, { input }) => {
      const channels = input.channels?.map((id) => context.parseDid(id, ['channel'], 'input.channels').id);
      const { id, token } = await context.services.accounts.createToken(accountOf(context), { ...input, channels });
      return { value: token, token: id, curlCommand: curlExample(context.baseUrl, token) };
    },
  });
  graph.mutation('revokeToken', {
    access: 'token:manage',
    payload: (f) => ({ id: f.value({ type: 'DID', description: 'Id of the token.' }) }),
    description: 'Revokes a token: it stops working at once. By session or with the API key.',
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the token.' }) }),
    command: async (context, { id: did }) => {
      const { id } = context.parseDid(did, ['token'], 'id');
      await context.services.accounts.revokeToken(accountOf(context), id);
      return { id: context.did('token', id) };
    },
  });
}
