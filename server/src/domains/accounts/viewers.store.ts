import { type Credential, makeViewer, type Viewer, type ViewerToken } from '../../gql/index.ts';
import type { Permission } from '../../kernel/permissions.ts';
import type { PlanCode, SubscriptionState } from '../../kernel/plans.ts';
import type { Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';
import { instantMs } from '../../platform/db/types.ts';
import { viewerSource } from './viewer.sql.ts';

const BY_KEY = sql('viewer_by_key', viewerSource.key);
const BY_TOKEN = sql('viewer_by_token', viewerSource.token);
const BY_ACCESS_TOKEN = sql('viewer_by_access_token', viewerSource.oauth);
const BY_SESSION = sql('viewer_by_session', viewerSource.session);

interface ViewerRow {
  account_id: string;
  channel_id: string;
  username: string;
  plan: PlanCode;
  state: SubscriptionState;
  access_until: string;
  is_operator: boolean;
  /** Of tokens only. */
  token_id: string;
  token_name: string;
  token_permissions: Permission[];
  token_channels: string[] | null;
  token_is_test: boolean;
}

/**
 * The account behind a key, a token, an access token or a session at `nowMs`, for endpoints other than GraphQL; null
 * when the credential is not valid.
 */
export async function readViewer(
  db: Executor,
  credential: Exclude<Credential, { kind: 'anonymous' }>,
  nowMs: number,
): Promise<Viewer | null> {
  const row = await findViewer(db, credential, new Date(nowMs).toISOString());
  if (!row) return null;
  return makeViewer({
    accountId: row.account_id,
    channelId: row.channel_id,
    username: row.username,
    plan: row.plan,
    state: row.state,
    accessUntilMs: instantMs(row.access_until),
    isOperator: row.is_operator,
    credential: credential.kind,
    ...(credential.kind === 'token' ? { token: tokenOf(row) } : {}),
  });
}

function tokenOf(row: ViewerRow): ViewerToken {
  return {
    id: row.token_id,
    name: row.token_name,
    permissions: row.token_permissions,
    channels: row.token_channels,
    isTest: row.token_is_test,
  };
}

function findViewer(
  db: Executor,
  credential: Exclude<Credential, { kind: 'anonymous' }>,
  now: string,
): Promise<ViewerRow | null> {
  if (credential.kind === 'key') return db.first<ViewerRow>(BY_KEY, [credential.lookupHash]);
  if (credential.kind === 'token') return db.first<ViewerRow>(BY_TOKEN, [credential.lookupHash, now]);
  if (credential.kind === 'oauth') return db.first<ViewerRow>(BY_ACCESS_TOKEN, [credential.tokenHash, now]);
  return db.first<ViewerRow>(BY_SESSION, [credential.token, now]);
}
