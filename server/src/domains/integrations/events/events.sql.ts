import type { ArgScope, RowScope } from '../../../gql/index.ts';
import type { EventType } from '../../../kernel/event-types.ts';
import { rolesFor, tokenAllows } from '../../channels/index.ts';
import { readEventTypes } from './event-types.ts';

/** SQL query of the channels whose log the viewer may read; only the requested one, if given. */
export function readableChannels(s: RowScope, args: ArgScope): string {
  const one = args.given('channel') ? `and m.channel_id = ${args.id('channel', ['channel'])}` : '';
  return (
    `select m.channel_id as id from channel_members m where m.account_id = ${s.viewer}.account_id ` +
    `and m.role in (${rolesFor('event:read')})${tokenAllows(s, 'event:read')} ${one}`
  );
}

/**
 * SQL: events of the requested types, up to the oldest running transaction, so that an event that commits late is
 * never skipped.
 */
export function isSettled(event: string, _: RowScope, args: ArgScope): string {
  const types = args.given('types') ? `${event}.type = any(${args.read('types', readTypes, 'text[]')}) and ` : '';
  return `${types}${event}.xact < pg_snapshot_xmin(pg_current_snapshot())`;
}

/** SQL: the number of such events, at most `most`. */
export function eventCount(s: RowScope, args: ArgScope, most: number): string {
  return (
    `(select count(*) from (select 1 from (${readableChannels(s, args)}) cg join events ce on ce.channel_id = ` +
    `cg.id and ${isSettled('ce', s, args)} limit ${most}) counted)`
  );
}

function readTypes(names: unknown, field: string): EventType[] {
  return readEventTypes(names as readonly string[], field); // the schema has checked that it is a list of names
}
