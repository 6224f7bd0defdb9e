import { formatDid, requireDid } from '../../../gql/index.ts';
import { requireAccount } from '../account-lookup.ts';
import {
  ACCOUNT_FLAGS,
  type AdminCommands,
  type AdminPlatform,
  type Flags,
  requiredFlag,
  TEXT,
  textFlag,
  timeFlag,
  whoFlags,
} from '../admin-command.ts';
import { listOpenInvitations } from './invitations.store.ts';
import { createInvitation, revokeInvitation } from './invitations.ts';
import { grantOperator, revokeOperator } from './operator-code.ts';

/** Commands about operators and invitations. */
export const OPERATOR_COMMANDS: AdminCommands = {
  'grant-operator': {
    about: 'Makes an account an operator, who can invite people in the web application.',
    usage: '--email E | --username U',
    options: ACCOUNT_FLAGS,
    run: runGrantOperator,
  },
  'revoke-operator': {
    about: 'Removes the operator role from an account.',
    usage: '--email E | --username U',
    options: ACCOUNT_FLAGS,
    run: runRevokeOperator,
  },
  'create-invitation': {
    about:
      'Creates an invitation with which one person can create one ' +
      'account; prints its code and link, which are not shown again.',
    usage: '[--email E] [--expires-at TIME] [--note N]',
    options: { email: TEXT, 'expires-at': TEXT, note: TEXT },
    run: runCreateInvitation,
  },
  'list-invitations': {
    about: 'Lists the valid invitations, newest first.',
    usage: '',
    options: {},
    run: runListInvitations,
  },
  'revoke-invitation': {
    about: 'Revokes an invitation.',
    usage: '--id DID',
    options: { id: TEXT },
    run: runRevokeInvitation,
  },
};

async function runGrantOperator(platform: AdminPlatform, flags: Flags): Promise<unknown> {
  const account = await requireAccount(platform.db, whoFlags(flags));
  await platform.db.transaction((tx) => grantOperator(tx, account, account.id, platform.clock.now()));
  return { email: account.email, username: account.username, isOperator: true };
}

async function runRevokeOperator(platform: AdminPlatform, flags: Flags): Promise<unknown> {
  const account = await requireAccount(platform.db, whoFlags(flags));
  await revokeOperator(platform, account.id);
  return { email: account.email, username: account.username, isOperator: false };
}

async function runCreateInvitation(platform: AdminPlatform, flags: Flags): Promise<unknown> {
  const expiresAtMs = timeFlag(flags, 'expires-at');
  const expiresAt = expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString();
  const input = { email: textFlag(flags, 'email'), note: textFlag(flags, 'note'), expiresAt };
  const { id, code, link, expiresAtMs: endsAtMs } = await createInvitation(platform, null, input);
  return {
    id: formatDid(platform.config.DID_NAMESPACE, 'invitation', id),
    code,
    link,
    expiresAt: new Date(endsAtMs).toISOString(),
  };
}

async function runListInvitations({ db, clock, config }: AdminPlatform): Promise<unknown> {
  const open = await listOpenInvitations(db, new Date(clock.now()).toISOString());
  return {
    invitations: open.map(({ id, ...rest }) => ({ id: formatDid(config.DID_NAMESPACE, 'invitation', id), ...rest })),
  };
}

async function runRevokeInvitation(platform: AdminPlatform, flags: Flags): Promise<unknown> {
  const id = requiredFlag(flags, 'id');
  await revokeInvitation(platform, requireDid(platform.config.DID_NAMESPACE, id, ['invitation'], 'id').id);
  return { id, revoked: true };
}
