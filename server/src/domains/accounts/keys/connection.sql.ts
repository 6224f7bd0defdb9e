import { type RowScope, tokenHas } from '../../../gql/index.ts';

/**
 * SQL: `value` of the viewer's row `t`, or null for a token without account:read. Other credentials always have that
 * permission.
 */
export function withAccountRead({ t, credential }: Pick<RowScope, 't' | 'credential'>, value: string): string {
  return credential === 'token' ? `case when ${tokenHas(t, 'account:read')} then ${value} end` : value;
}
