import { CONTENT_KIND_NAMES } from '../../../kernel/content-kinds.ts';
import { CONTENT_STATUSES } from '../publication/lifecycle.ts';

const arrayOf = (names: readonly string[]) => `array['${names.join("','")}']`;

/** SQL: the title for sorting, ignoring case and accents, as in the index contents_channel_title. */
export function titleOrder(child: string): string {
  return (
    `(regexp_replace(casefold(normalize(${child}.title, NFKD) collate "pg_unicode_fast"), ` +
    `'[\\u0300-\\u036f]', '', 'g') collate "C")`
  );
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
