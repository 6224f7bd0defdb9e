import { createTestAccount } from '../../server/src/domains/accounts/testing.ts';
import { formatDid } from '../../server/src/gql/index.ts';
import { ManualClock } from '../../server/src/platform/clock.ts';
import { secretsFrom } from '../../server/src/platform/config/secret-key.ts';
import { sql } from '../../server/src/platform/db/statement.ts';
import { type Platform, TEST_SECRET } from './harness.ts';

/** An account with a channel, a plan and a password. */
export interface Member {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  /** DID of the channel. */
  readonly channelId: string;
  /** The API key; empty on Free. */
  readonly key: string;
}

const PASSWORD = 'correct horse'; // of every account from createTestAccount

/** Creates an account directly in the database of a running platform, because the admin command takes a second. */
export async function makeMember(
  { database }: Platform,
  username: string,
  plan: 'CREATOR_PLUS' | 'FREE' = 'CREATOR_PLUS',
): Promise<Member> {
  const needs = { db: database, clock: new ManualClock(Date.now()), secrets: secretsFrom(TEST_SECRET) };
  const { email, channelId, apiKey } = await createTestAccount(needs, username, plan);
  return {
    username,
    email,
    password: PASSWORD,
    channelId: formatDid('reelgraph', 'channel', channelId),
    key: apiKey ?? '',
  };
}

/** Gives the account the operator role. */
export async function makeOperator({ database }: Platform, { username }: Member): Promise<void> {
  await database.run(sql('journey_operator', 'update accounts set is_operator = true where username = $1'), [username]);
}
