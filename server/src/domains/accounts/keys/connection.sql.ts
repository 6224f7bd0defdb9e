import { type RowScope, tokenHas } from '../../../gql/index.ts';

/**
 * SQL: `value` of the viewer's row `t`, or `hidden` for a token without account:read. Other credentials always have
 * that permission.
 */
export function withAccountRead(
  { t, credential }: Pick<RowScope, 't' | 'credential'>,
  value: string,
  hidden = 'null',
): string {
  if (credential !== 'token') return value;
  return `case when ${tokenHas(t, 'account:read')} then ${value} else ${hidden} end`;
}
