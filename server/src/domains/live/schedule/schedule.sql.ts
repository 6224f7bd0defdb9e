import { awaitsStart } from '../broadcasts/broadcast.sql.ts';
import { UNBEGUN_STATES } from '../broadcasts/broadcast-states.ts';

/** SQL: streams that were scheduled and have not begun, in their order (`upcoming_first`, `scheduled_at`). */
export const SCHEDULED_STREAMS =
  `(select c.*, b.scheduled_at, (b.state in ('MISSED', 'CANCELED'))::integer as upcoming_first from broadcasts b ` +
  `join contents c on c.id = b.content_id where (b.state in ${UNBEGUN_STATES} or ${awaitsStart('b')}) ` +
  `and c.deleted_at is null)`;

/** SQL: the ids of the streams whose broadcasts are in one of these states. */
export function streamsInStates(states: string): string {
  const isHidden = `b.scheduled_at is not null and ${awaitsStart('b')}`;
  return (
    `(select b.content_id from broadcasts b where b.content_id is not null and ` +
    `((b.state = any(${states}) and not (${isHidden})) or ('SCHEDULED' = any(${states}) and ${isHidden})))`
  );
}
