import { ARRIVING_NAME } from '../media-address.ts';

const END = `/${ARRIVING_NAME}/`;

/** SQL: whether a video is played from what has arrived of its upload. */
export function playsWhatArrived(video: string): string {
  return `coalesce(right(${video}.package_prefix, ${END.length}) = '${END}', false)`;
}

/** SQL: whether the upload of a video goes on while it is played. */
export function isArriving(video: string): string {
  return `(${video}.size_bytes = 0 and ${playsWhatArrived(video)})`;
}
