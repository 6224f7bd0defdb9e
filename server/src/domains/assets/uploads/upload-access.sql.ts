import type { RowScope } from '../../../gql/index.ts';
import { mayInChannel } from '../../channels/index.ts';

/**
 * SQL: who may work on an upload: members who may upload; for an image of the channel itself, those who may change the
 * channel.
 */
export function mayWorkOn(upload: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  const ofChannel = `${upload}.content_id is null and ${upload}.playlist_id is null`;
  return (
    `(case when ${ofChannel} then ${mayInChannel(s, `${upload}.channel_id`, 'channel:update')} ` +
    `else ${mayInChannel(s, `${upload}.channel_id`, 'asset:upload')} end)`
  );
}
