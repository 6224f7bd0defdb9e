import type { RequestEnv } from '../../../gql/index.ts';
import { seesCredential } from '../../accounts/index.ts';

/** SQL: whether an export (alias) is of the account of the viewer (alias), and visible to its credential. */
export function isVisibleExport(
  exported: string,
  viewer: string,
  param: (read: (env: RequestEnv) => unknown, cast: string) => string,
): string {
  const columns = { kind: `${exported}.credential_kind`, id: `${exported}.credential_id` };
  return `${exported}.account_id = ${viewer} and ${seesCredential(param, columns)}`;
}
