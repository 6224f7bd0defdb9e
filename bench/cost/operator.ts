import pg from 'pg';
import type { CostTarget } from './measure.ts';

/** Root fields that only an operator's session may read. */
export const OPERATOR_FIELDS = [
  'accounts',
  'invitations',
  'mailMessages',
  'operatorActions',
  'serverChannels',
  'serverJobs',
  'serverReports',
  'serverStatus',
  'serverStorage',
  'serverVideos',
];

/** Mutations with texts that only operators may call. */
export const OPERATOR_MUTATIONS = ['createInvitation', 'reviewReport', 'suspendAccount', 'updateInstance'];

const INVITATIONS = 20_000;

/**
 * Signs up an account, makes it an operator with invitations to list, and returns the cookie of its session.
 * @throws Error if the sign-in fails.
 */
export async function signInOperator({ url, databaseUrl }: Pick<CostTarget, 'url' | 'databaseUrl'>): Promise<string> {
  const username = `operator-${Date.now()}`;
  const response = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({
      email: `${username}@example.com`,
      password: 'four plain words measured',
      name: username,
      username,
    }),
  });
  if (!response.ok) throw new Error(`Sign-up answered ${response.status}: ${await response.text()}`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('update accounts set is_operator = true where username = $1', [username]);
  await client.query(
    `insert into invitations (id, code_hash, note, created_by, created_at, expires_at)
     select gen_random_uuid(), sha256(convert_to($2 || n, 'utf8')), 'number ' || n, a.id,
       now() - n * interval '1 minute', now() + interval '1 day'
     from accounts a, generate_series(1, $3) n where a.username = $1`,
    [username, username, INVITATIONS],
  );
  await client.query('analyze invitations');
  await client.end();
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}
