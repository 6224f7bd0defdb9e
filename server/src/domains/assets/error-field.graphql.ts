import type { RequestEnv, RowScope } from '../../gql/index.ts';
import { localized } from '../../kernel/languages/catalogs.ts';
import type { StoredText } from '../../kernel/languages/message.ts';
import { errorTextOf } from '../../platform/db/stored-text.ts';

/** A field with the stored error of a row, in the language of its reader; null for none. */
export const ERROR_FIELD = {
  type: 'String' as const,
  nullable: true as const,
  sql: (s: RowScope) => errorTextOf(s.t),
  read: ([error]: [StoredText | null], env: RequestEnv) => error && localized(error, env.language),
};
