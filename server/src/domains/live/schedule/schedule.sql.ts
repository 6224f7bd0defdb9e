import { UNBEGUN_STATES } from '../broadcasts/broadcast-states.ts';

/** SQL: streams that were scheduled and have not begun, in their order (`upcoming_first`, `scheduled_at`). */
export const SCHEDULED_STREAMS =
  `(select c.*, b.scheduled_at, (b.state <> 'SCHEDULED')::integer as upcoming_first from broadcasts b ` +
  `join contents c on c.id = b.content_id where b.state in ${UNBEGUN_STATES} and c.deleted_at is null)`;

/** SQL: the ids of the streams whose broadcasts are in one of these states. */
export function streamsInStates(states: string): string {
  return `(select b.content_id from broadcasts b where b.state = any(${states}) and b.content_id is not null)`;
}
