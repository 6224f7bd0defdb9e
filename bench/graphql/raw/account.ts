import { permissionsOf } from '../../../server/src/kernel/permissions.ts';
import { PLANS, type PlanCode } from '../../../server/src/kernel/plans.ts';
import { type Handler, query, VIEWER } from './database.ts';
import { did } from './values.ts';

const VERIFY = `${VIEWER} select u.*, c.name from u join channels c on c.id = u.channel_id`;
interface AccountRow {
  readonly channel_id: string;
  readonly username: string;
  readonly name: string;
  readonly plan: PlanCode;
  readonly state: string;
}

/** The account of the key. */
export const verify: Handler = async (key) => {
  const viewer = (await query<AccountRow>('verify', VERIFY, [key]))?.[0];
  if (!viewer) return null;
  const id = did('channel', viewer.channel_id);
  return {
    verifyConnection: {
      authenticated: true,
      user: { id, username: viewer.username },
      channel: { id, name: viewer.name },
      subscription: { plan: PLANS[viewer.plan].name, state: viewer.state },
      permissions: permissionsOf(viewer.plan, 'key'),
    },
  };
};
