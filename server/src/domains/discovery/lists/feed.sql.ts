import type { RowScope } from '../../../gql/index.ts';
import { tokenAllows } from '../../channels/index.ts';

/** SQL query of the channels that the viewer follows, as `id`. */
export function followedChannels(s: Pick<RowScope, 'viewer' | 'credential'>): string {
  const limits = tokenAllows(s, null, 'w');
  return `select w.channel_id as id from follows w where w.account_id = ${s.viewer}.account_id${limits}`;
}
