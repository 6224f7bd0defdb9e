import { newId } from '../../../kernel/ids.ts';
import type { Executor, Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { TestEnd } from './content-test.ts';
import { cardImageOf } from './content-tests.sql.ts';
import type { TestFacts } from './decide-test.ts';

/** A content as its cards show it. */
export interface ShownContent {
  readonly title: string;
  readonly imageId: string | null;
  /** Whether it is published and public. */
  readonly isPublic: boolean;
  readonly hasRunningTest: boolean;
}

const SHOWN = sql(
  'content_on_cards',
  `select c.title, ${cardImageOf('c')} as "imageId", c.listed as "isPublic", c.has_running_test as "hasRunningTest"
   from contents c where c.id = $1`,
);

/** Null where the content does not exist. */
export function readShownContent(tx: Executor, contentId: string): Promise<ShownContent | null> {
  return tx.first(SHOWN, [contentId]);
}

const IMAGES = sql('images_of_content', 'select id from image_assets where content_id = $1 and id = any($2::uuid[])');

/** Those of the images that belong to the content. */
export async function imagesOfContent(tx: Executor, contentId: string, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await tx.run<{ id: string }>(IMAGES, [contentId, ids])).map(({ id }) => id));
}

/** Title and image of a variant. */
export interface VariantLook {
  readonly title: string;
  readonly imageId: string | null;
}

/** A test that starts; the first variant is the content as it is. */
export interface NewTest {
  readonly contentId: string;
  readonly variants: readonly VariantLook[];
  readonly applyWinner: boolean;
  readonly minDays: number;
  readonly maxDays: number;
}

const INSERT = sql(
  'insert_content_test',
  `with test as (
     insert into content_tests (id, content_id, variants, apply_winner, min_days, max_days, started_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id),
   shown as (
     insert into content_test_variants (id, test_id, position, title, image_id)
     select v.id, test.id, v.place - 1, v.title, v.image_id
     from test, unnest($8::uuid[], $9::text[], $10::uuid[]) with ordinality as v (id, title, image_id, place))
   update contents c set has_running_test = true where c.id = $2`,
);

/** Starts a test; returns its id. The caller has locked the content and knows that it has no running test. */
export async function insertTest(tx: Transaction, test: NewTest, nowMs: number): Promise<string> {
  const id = newId(nowMs);
  const { contentId, variants, applyWinner, minDays, maxDays } = test;
  await tx.run(INSERT, [
    ...[id, contentId, variants.length, applyWinner, minDays, maxDays, new Date(nowMs).toISOString()],
    variants.map(() => newId(nowMs)),
    variants.map(({ title }) => title),
    variants.map(({ imageId }) => imageId),
  ]);
  return id;
}

/** A running test with its content, as decisions need them. */
export interface RunningTest extends TestFacts {
  readonly id: string;
  readonly contentId: string;
  readonly channelId: string;
  readonly applyWinner: boolean;
}

const LOCK_CONTENT = sql('lock_tested_content', 'select 1 from contents where id = $1 for update');
const LOCK_TEST = sql(
  'lock_running_content_test',
  `select id from content_tests where content_id = $1 and state = 'RUNNING' for update`,
);
const RUNNING = sql(
  'running_content_test',
  `select t.id, t.content_id as "contentId", c.channel_id as "channelId", t.apply_winner as "applyWinner",
     extract(epoch from t.started_at)::float8 * 1000 as "startedAtMs", t.min_days as "minDays",
     t.max_days as "maxDays", c.listed as "isPublic",
     c.title <> o.title or ${cardImageOf('c')} is distinct from o.image_id
       or exists (select from content_test_variants v where v.test_id = t.id and v.image_id is not null
         and not exists (select from image_assets i where i.id = v.image_id)) as "isChanged",
     array(select v.viewers::integer from content_test_variants v where v.test_id = t.id order by v.position) as viewers
   from content_tests t join contents c on c.id = t.content_id
   join content_test_variants o on o.test_id = t.id and o.position = 0
   where t.id = $1`,
);

/** The running test of a content, with both locked until the transaction ends; null without one. */
export async function lockRunningTest(tx: Transaction, contentId: string): Promise<RunningTest | null> {
  // The content first, as in the commands and where events are aggregated.
  await tx.first(LOCK_CONTENT, [contentId]);
  const locked = await tx.first<{ id: string }>(LOCK_TEST, [contentId]);
  return locked && tx.first<RunningTest>(RUNNING, [locked.id]);
}

const TESTED = sql(
  'tested_contents',
  `select content_id as "contentId" from content_tests where state = 'RUNNING' order by content_id`,
);

/** The contents with a running test. */
export async function testedContents(db: Executor): Promise<string[]> {
  return (await db.run<{ contentId: string }>(TESTED, [])).map(({ contentId }) => contentId);
}

const END = sql(
  'end_content_test',
  `with ended as (
     update content_tests set state = $2, end_reason = $3, winner = $4, ended_at = $5 where id = $1
     returning id, content_id),
   forgotten as (delete from content_test_viewers v using ended where v.test_id = ended.id)
   update contents c set has_running_test = false from ended where c.id = ended.content_id`,
);
const WINNER = sql(
  'winner_of_content_test',
  'select id from content_test_variants where test_id = $1 and position = $2',
);

/** Ends a test that is locked: its numbers stay as they are, and content.test_finished is written. */
export async function endTest(
  tx: Transaction,
  test: Pick<RunningTest, 'id' | 'contentId' | 'channelId'>,
  { state, reason, winner }: TestEnd,
  { nowMs, applied }: { readonly nowMs: number; readonly applied: boolean },
): Promise<void> {
  await tx.run(END, [test.id, state, reason, winner, new Date(nowMs).toISOString()]);
  const won = winner === null ? null : await tx.first<{ id: string }>(WINNER, [test.id, winner]);
  const payload = { testId: test.id, state, reason, winnerId: won?.id ?? null, applied };
  const { channelId, contentId } = test;
  await appendEvent(tx, { type: 'content.test_finished', channelId, subjectId: contentId, payload });
}

/** A variant of a content's tests. */
export interface FoundVariant extends VariantLook {
  readonly testId: string;
  readonly position: number;
}

const VARIANT = sql(
  'content_test_variant',
  `select v.test_id as "testId", v.position, v.title, v.image_id as "imageId"
   from content_test_variants v join content_tests t on t.id = v.test_id where v.id = $1 and t.content_id = $2`,
);

/** Null where the content has no such variant. */
export function findVariant(tx: Executor, id: string, contentId: string): Promise<FoundVariant | null> {
  return tx.first(VARIANT, [id, contentId]);
}

const VARIANT_AT = sql(
  'content_test_variant_at',
  `select test_id as "testId", position, title, image_id as "imageId" from content_test_variants
   where test_id = $1 and position = $2`,
);

/** The variant of a test at a position. */
export async function variantAt(tx: Executor, testId: string, position: number): Promise<FoundVariant> {
  const found = await tx.first<FoundVariant>(VARIANT_AT, [testId, position]);
  if (!found) throw new Error(`The test ${testId} has no variant ${position}.`);
  return found;
}

const APPLIED = sql(
  'variant_applied',
  'update content_tests set applied = $2, applied_at = $3 where id = $1 and ' +
    '($4::boolean or applied is distinct from $2)',
);

/** Records that the content was given a variant of the test, if that is new or has changed the content. */
export async function recordApplied(
  tx: Executor,
  testId: string,
  { position, hasChanged }: { readonly position: number; readonly hasChanged: boolean },
  nowMs: number,
): Promise<void> {
  await tx.run(APPLIED, [testId, position, new Date(nowMs).toISOString(), hasChanged]);
}

const ASSIGNED = sql(
  'assigned_variants',
  `select v.id, t.content_id as "contentId" from content_test_variants v join content_tests t on t.id = v.test_id
   where v.id = any($1::uuid[]) and t.state = 'RUNNING'
     and v.position = content_test_position(t.id, $2, t.variants)`,
);

/**
 * Of these variants, those that a viewer (account or pseudonym of a browser) gets in running tests, with their
 * contents.
 */
export async function assignedVariants(
  db: Executor,
  ids: readonly string[],
  viewer: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.run<{ id: string; contentId: string }>(ASSIGNED, [ids, viewer]);
  return new Map(rows.map(({ id, contentId }) => [id, contentId]));
}
