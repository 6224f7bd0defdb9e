import { CONTENT_KIND_NAMES } from '../../../kernel/content-kinds.ts';
import { CONTENT_STATUSES } from './lifecycle.ts';

const arrayOf = (names: readonly string[]) => `array['${names.join("','")}']`;

/** SQL: the title for sorting, ignoring case and accents, as in the index contents_channel_title. */
export function titleOrder(child: string): string {
  return (
    `(regexp_replace(casefold(normalize(${child}.title, NFKD) collate "pg_unicode_fast"), ` +
    `'[\\u0300-\\u036f]', '', 'g') collate "C")`
  );
}

/** SQL: whether the title contains a text, ignoring case and accents. */
export function titleContains(child: string, text: string): string {
  return `position(search_fold(${text}) in search_fold(${child}.title)) > 0`;
}

/** SQL: the contents with the value of a counter of theirs, as `sorted_by`. */
export function contentsWithCounter(scope: string): string {
  return `(select k.*, counter_value('${scope}', k.id) as sorted_by from contents k)`;
}

/**
 * SQL: the number of contents of a channel, or of those of these kinds and in these states: the counter of all, or the
 * sum of the counters by kind and state.
 */
export function keptOf(channelId: string, kinds: string | null, statuses: string | null): string {
  if (kinds === null && statuses === null) return `counter_value('channel:contents', ${channelId})`;
  return (
    '(select coalesce(sum(n.value), 0)::bigint from ' +
    `(select distinct unnest(${kinds ?? arrayOf(CONTENT_KIND_NAMES)})) k(kind), ` +
    `(select distinct unnest(${statuses ?? arrayOf(CONTENT_STATUSES)})) t(status), counters n ` +
    `where n.scope = 'channel:' || k.kind || ':' || t.status and n.key = ${channelId})`
  );
}
