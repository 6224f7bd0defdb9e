import type { EntityRef, FieldFactory, Graph, RequestEnv, RowScope } from '../../../gql/index.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import type { PlanCode, SubscriptionState } from '../../../kernel/plans.ts';
import { instantMs } from '../../../platform/db/types.ts';
import { accountOf } from '../account-of.ts';
import { type DeveloperAccess, developerAccess } from '../subscriptions/developer-access.policy.ts';
import { curlExample } from './curl-example.ts';

/**
 * Columns that decide developer access, and their values. The trial column is isTrialAvailable of
 * subscription.policy.ts.
 */
type AccessColumns = [plan: PlanCode, state: SubscriptionState, accessUntil: string, trialAvailable: boolean];

function trialAvailable(s: RowScope): string {
  const now = s.param((env) => env.nowIso, 'timestamptz');
  return `(${s.t}.trial_started_at is null and (${s.t}.plan = 'FREE' or ${s.t}.access_until <= ${now}))`;
}

function accessColumns(s: RowScope): string[] {
  return [`${s.t}.plan`, `${s.t}.state`, `${s.t}.access_until`, trialAvailable(s)];
}

function readDeveloperAccess(
  [plan, state, accessUntil, isTrialAvailable]: AccessColumns,
  env: RequestEnv,
): DeveloperAccess {
  return developerAccess({ plan, state, accessUntilMs: instantMs(accessUntil) }, env.nowMs, isTrialAvailable);
}

/** Declares the fields and mutations of the Developer Settings page. All of them require a session, not a key. */
export function declareDeveloperSettings(graph: Graph, Subscription: EntityRef): EntityRef {
  const ApiKey = declareApiKey(graph);
  const DeveloperSettings = graph.entity('DeveloperSettings', {
    description: 'Developer access of the signed-in account.',
    table: 'subscriptions',
    key: 'account_id',
    fields: (f) => ({
      ...eligibilityFields(f),
      subscription: f.embed({ type: Subscription, description: 'Plan and state of the account.' }),
      apiKey: f.one({
        type: ApiKey,
        nullable: true,
        description: 'The current key; null if there is none.',
        on: (child, s) => `${child}.account_id = ${s.t}.account_id`,
      }),
    }),
  });
  graph.queryOne('developerSettings', {
    type: DeveloperSettings,
    access: 'api_key:manage',
    nullable: false,
    missing: 'null',
    description: 'Developer access of the signed-in account. For sessions only.',
    on: (child, s) => `${child}.account_id = ${s.viewer}.account_id`,
  });
  graph.mutation('startTrial', {
    access: 'api_key:manage',
    payload: (f) => ({ developerSettings: f.read({ type: DeveloperSettings, description: 'The settings.' }) }),
    description: 'Starts the 14-day trial of Creator+, once per account. For sessions only.',
    command: async (context) => {
      const accountId = accountOf(context);
      await context.services.accounts.startTrial(accountId);
      return accountId;
    },
  });
  declareKeyMutations(graph, ApiKey);
  return DeveloperSettings;
}

function declareApiKey(graph: Graph): EntityRef {
  return graph.entity('ApiKey', {
    description: 'The current API key of an account, without the key itself.',
    table: 'api_keys',
    key: 'account_id',
    fields: (f) => ({
      hint: f.column({
        type: 'String',
        description: 'Beginning and end of the key, to recognize it.',
        sql: (s) => `${s.t}.hint`,
      }),
      createdAt: f.column({
        type: 'DateTime',
        description: 'When the key was created.',
        sql: (s) => `${s.t}.created_at`,
      }),
      lastUsedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When the key was last used, to the minute; null if never.',
        sql: (s) => `${s.t}.last_used_at`,
      }),
    }),
  });
}

/** Whether the account may have a key, and how it gets one. */
function eligibilityFields(f: FieldFactory) {
  return {
    eligible: f.column({
      type: 'Boolean',
      description: 'Whether the account may have and use an API key now.',
      sql: accessColumns,
      read: (columns: AccessColumns, env) => readDeveloperAccess(columns, env).eligible,
    }),
    reason: f.column({
      type: 'String',
      nullable: true,
      description: 'Why the account is not eligible; null if it is.',
      sql: accessColumns,
      read: (columns: AccessColumns, env) => reasonOf(readDeveloperAccess(columns, env), env.language),
    }),
    howToBecomeEligible: f.column({
      type: 'String',
      nullable: true,
      description: 'How to become eligible; null if the account is.',
      sql: accessColumns,
      read: (columns: AccessColumns, env) => wayOf(readDeveloperAccess(columns, env), env.language),
    }),
    trialAvailable: f.column({
      type: 'Boolean',
      description: 'Whether startTrial would start a trial now.',
      sql: trialAvailable,
    }),
  };
}

function declareKeyMutations(graph: Graph, ApiKey: EntityRef): void {
  const declare = (name: 'generateApiKey' | 'regenerateApiKey' | 'revealApiKey', description: string) =>
    graph.mutation(name, {
      access: 'api_key:manage',
      payload: (f) => ({
        key: f.value({
          type: 'String',
          secret: true,
          description: 'The key, to send as "Authorization: Bearer <key>".',
        }),
        apiKey: f.read({ type: ApiKey, description: 'Details of the key.' }),
        curlCommand: f.value({ type: 'String', secret: true, description: 'A shell command that verifies the key.' }),
      }),
      description,
      command: async (context) => {
        const accountId = accountOf(context);
        const key = await context.services.accounts[name](accountId);
        return { key, apiKey: accountId, curlCommand: curlExample(context.baseUrl, key) };
      },
    });
  declare(
    'generateApiKey',
    'Creates the API key of the account. For sessions only; RESOURCE_ALREADY_EXISTS if there is one.',
  );
  declare(
    'regenerateApiKey',
    'Replaces the API key: the old one stops working at once in every connected application. For sessions only.',
  );
  declare('revealApiKey', 'Reveals the current API key. For sessions only.');
}

function reasonOf(access: DeveloperAccess, language: Language): string | null {
  return access.eligible ? null : localized(access.reason, language);
}

function wayOf(access: DeveloperAccess, language: Language): string | null {
  return access.eligible ? null : localized(access.howToBecomeEligible, language);
}
