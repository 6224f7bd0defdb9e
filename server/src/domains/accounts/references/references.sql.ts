import type { Credential, RequestEnv } from '../../../gql/index.ts';

/** Columns with the reference to a credential. */
interface ReferenceColumns {
  readonly kind: string;
  readonly id: string;
}

/** Kinds of credentials that the API key sees what was made with: they never have more rights than the key. */
const UNDER_KEY = "'key', 'token', 'oauth'";

/**
 * SQL: whether the credential of the request may see what was made with another one of the same account: a session
 * everything, the API key what keys, tokens and applications made, a token or an application its own.
 */
export function seesCredential(
  param: (read: (env: RequestEnv) => unknown, cast: string) => string,
  { kind, id }: ReferenceColumns,
): string {
  const own = param((env) => env.credential.kind, 'text');
  const token = param(({ credential }) => tokenOf(credential), 'text');
  return (
    `case ${own} when 'session' then true when 'key' then ${kind} in (${UNDER_KEY}) ` +
    `when 'token' then ${kind} = 'token' and ${id} = ${token} ` +
    `else ${kind} = 'oauth' and ${id} = (select t.client_id from oauth_access_tokens t where t.token = ${token}) end`
  );
}

function tokenOf(credential: Credential): string | null {
  if (credential.kind === 'token') return credential.lookupHash.toString('hex');
  return credential.kind === 'oauth' ? credential.tokenHash : null;
}
