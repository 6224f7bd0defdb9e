import type { RowScope } from '../../../gql/index.ts';
import { mayInChannel } from '../../channels/index.ts';

/**
 * SQL: who may work on an upload: members who may upload; for an image of the channel itself, those who may change the
 * channel. A partial upload is not visible in the API.
 */
export function mayWorkOn(upload: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  const ofChannel = `${upload}.content_id is null and ${upload}.playlist_id is null`;
  const may = (permission: 'asset:upload' | 'channel:update') => mayInChannel(s, `${upload}.channel_id`, permission);
  return (
    `(not ${upload}.is_partial and case when ${ofChannel} then ${may('channel:update')} ` +
    `else ${may('asset:upload')} end)`
  );
}
