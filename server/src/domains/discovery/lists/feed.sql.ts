import type { RowScope } from '../../../gql/index.ts';

/** SQL query of the channels that the viewer follows, as `id`. */
export function followedChannels(s: Pick<RowScope, 'viewer' | 'credential'>): string {
  return `select w.channel_id as id from follows w where w.account_id = ${s.viewer}.account_id`;
}
