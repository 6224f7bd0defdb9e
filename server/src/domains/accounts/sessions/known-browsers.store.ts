import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { DEVICE_DAYS } from './session-cookie.ts';

/** Browsers that an account knows at most: those used last. */
const MOST_KNOWN = 50;

// All parts see the same snapshot: what was known before this sign-in.
const NOTE = sql(
  'note_browser',
  `with noted as (
     insert into known_browsers (account_id, browser_hash, seen_at) values ($1, $2, $3)
     on conflict (account_id, browser_hash) do update set seen_at = excluded.seen_at
   ),
   forgotten as (
     delete from known_browsers where account_id = $1 and browser_hash in (
       select browser_hash from known_browsers where account_id = $1 and browser_hash <> $2
       order by seen_at desc, browser_hash offset ${MOST_KNOWN - 1})
   )
   select count(*)::int as count, coalesce(bool_or(browser_hash = $2), false) as "isKnown"
   from known_browsers where account_id = $1`,
);
const FORGET = sql(
  'delete_old_browsers',
  `delete from known_browsers where seen_at < $1::timestamptz - make_interval(days => ${DEVICE_DAYS})`,
);

/** What was known of an account's browsers before a sign-in, which is noted. */
export interface KnownBrowsers {
  readonly count: number;
  /** Whether this one was among them. */
  readonly isKnown: boolean;
}

export async function noteBrowser(
  tx: Executor,
  accountId: AccountId,
  browserHash: Buffer,
  nowIso: string,
): Promise<KnownBrowsers> {
  return (await tx.first<KnownBrowsers>(NOTE, [accountId, browserHash, nowIso])) ?? { count: 0, isKnown: false };
}

export async function forgetBrowsers(db: Executor, nowIso: string): Promise<void> {
  await db.run(FORGET, [nowIso]);
}
