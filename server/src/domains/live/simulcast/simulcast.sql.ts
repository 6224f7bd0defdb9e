/** SQL: the channel of the live input of a simulcast target. */
export function channelOfTarget(target: string): string {
  return `(select i.channel_id from live_inputs i where i.id = ${target}.input_id)`;
}

/**
 * SQL: the state of a simulcast target. What was said of it counts while the encoder of which it was said is that of
 * the broadcast.
 */
export function simulcastStateOf(target: string): string {
  return (
    `case when ${target}.is_enabled and exists (select 1 from broadcasts b where b.input_id = ${target}.input_id ` +
    `and b.state = 'LIVE' and b.connection_id = ${target}.connection_id) then ${target}.state else 'IDLE' end`
  );
}
