import type { Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { RollUp } from './roll-up.ts';

/** SQL: the running tests that started since the day in `$1`. */
export const RUNNING_SINCE = `select id from content_tests where state = 'RUNNING'
  and started_at >= $1::date at time zone 'UTC'`;

/**
 * The running tests of the variants in `sums`, locked against their end until the transaction ends: the numbers of a
 * test do not change once it has ended.
 */
const RUNNING = `running as materialized (
  select t.id from content_tests t
  where t.id in (select v.test_id from content_test_variants v join sums s on s.variant_id = v.id)
    and t.state = 'RUNNING' and ($2::date is null or t.started_at >= $2::date at time zone 'UTC')
  order by t.id for share)`;

const ADD_SUMS = sql(
  'add_content_test_sums',
  `with sums as (
     select * from jsonb_to_recordset($1::jsonb) as r (variant_id uuid, impressions bigint, clicks bigint)),
   ${RUNNING}
   update content_test_variants v set impressions = v.impressions + s.impressions, clicks = v.clicks + s.clicks
   from sums s, running t where v.id = s.variant_id and v.test_id = t.id`,
);

const ADD_VIEWERS = sql(
  'add_content_test_viewers',
  `with sums as (select * from jsonb_to_recordset($1::jsonb) as r (variant_id uuid, viewer uuid)),
   ${RUNNING},
   clicked as (
     select distinct on (t.id, s.viewer) t.id as test_id, s.viewer, v.id as variant_id
     from sums s join content_test_variants v on v.id = s.variant_id join running t on t.id = v.test_id
     order by t.id, s.viewer, v.id),
   counted as (
     insert into content_test_viewers (test_id, viewer) select test_id, viewer from clicked order by 1, 2
     on conflict do nothing returning test_id, viewer)
   update content_test_variants v set viewers = v.viewers + n.viewers
   from (select variant_id, count(*) as viewers from clicked join counted using (test_id, viewer) group by variant_id) n
   where v.id = n.variant_id`,
);

/** Adds what a batch of events counts in running tests; in a rebuild from a day only in tests that started since. */
export async function addToTests(
  tx: Transaction,
  { variants, followers }: Pick<RollUp, 'variants' | 'followers'>,
  rebuiltFrom: string | null,
): Promise<void> {
  if (variants.length > 0) await tx.run(ADD_SUMS, [JSON.stringify(variants), rebuiltFrom]);
  if (followers.length > 0) await tx.run(ADD_VIEWERS, [JSON.stringify(followers), rebuiltFrom]);
}
