import { OPEN_STATES } from './broadcast-states.ts';

/** SQL: the prefix of the manifests of the video that a broadcast makes; null before it is live and once recorded. */
export function livePrefixOf(broadcast: string): string {
  return (
    `case when ${broadcast}.state <> 'RECORDED' ` +
    `then 'media/' || ${broadcast}.content_id || '/' || ${broadcast}.video_asset_id || '/' end`
  );
}

/** SQL: a column of the broadcast that the live input `input` receives; null without one. */
export function openBroadcastOf(input: string, column: string): string {
  return `(select b.${column} from broadcasts b where b.input_id = ${input}.id and b.state in ${OPEN_STATES})`;
}
