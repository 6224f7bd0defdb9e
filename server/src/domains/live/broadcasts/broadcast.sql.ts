import { OPEN_STATES } from './broadcast-states.ts';

/** SQL: the prefix of the manifests of the video that a broadcast makes; null before it is live and once recorded. */
export function livePrefixOf(broadcast: string): string {
  return (
    `case when ${broadcast}.state <> 'RECORDED' ` +
    `then 'media/' || ${broadcast}.content_id || '/' || ${broadcast}.video_asset_id || '/' end`
  );
}

/** SQL: whether the broadcast `b` has an encoder, and waits for startBroadcast. */
export function awaitsStart(b: string): string {
  return `(${b}.state = 'CONNECTED' and ${b}.start_mode = 'MANUAL' and ${b}.start_requested_at is null)`;
}

/** SQL: the state of the broadcast `b` as others see it: whether its encoder is connected matters to its channel. */
export function shownStateOf(b: string): string {
  return `case when ${b}.scheduled_at is not null and ${awaitsStart(b)} then 'SCHEDULED' else ${b}.state end`;
}

/** SQL: the id of the broadcast of the live input `input` that waits for startBroadcast; null without one. */
export function waitingBroadcastOf(input: string): string {
  return `(select b.id from broadcasts b where b.input_id = ${input}.id and ${awaitsStart('b')})`;
}

/** SQL: a column of the broadcast that the live input `input` receives; null without one. */
export function openBroadcastOf(input: string, column: string): string {
  return `(select b.${column} from broadcasts b where b.input_id = ${input}.id and b.state in ${OPEN_STATES})`;
}

/** SQL: where the stored segments of a broadcast begin and end, in 1/90000 s; nulls without any. */
export function storedTicksOf(broadcast: string): [start: string, end: string] {
  const of = (value: string, order: 'asc' | 'desc') =>
    `(select (${value})::float8 from broadcast_segments s where s.broadcast_id = ${broadcast}.id
      order by s.number ${order} limit 1)`;
  return [of('s.start_ticks', 'asc'), of('s.start_ticks + s.video_duration', 'desc')];
}

/** SQL: the stream that the live input `input` broadcasts; null while none can be played. */
export function playedStreamOf(input: string): string {
  const isPlayed = `b.state in ('LIVE', 'RECONNECTING')`;
  return `(select b.content_id from broadcasts b where b.input_id = ${input}.id and ${isPlayed})`;
}
