import { randomBytes } from 'node:crypto';
import { type CreatedAccount, createAccount } from '../server/src/domains/accounts/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { secretsFrom } from '../server/src/platform/config/secret-key.ts';
import { openDatabase } from '../server/src/platform/db/database.ts';

/** Accounts on Creator+, each with an API key. `secretKey` is the server's SECRET_KEY. */
export async function makeAccounts(databaseUrl: string, secretKey: string, count: number): Promise<CreatedAccount[]> {
  const db = openDatabase({ url: databaseUrl });
  const platform = { db, clock: systemClock, secrets: secretsFrom(Buffer.from(secretKey, 'base64')) };
  const accounts: CreatedAccount[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = `fan${index}`;
    const subscription = { plan: 'CREATOR_PLUS', state: 'ACTIVE' } as const;
    const password = randomBytes(15).toString('hex');
    accounts.push(
      await createAccount(platform, {
        email: `${name}@example.com`,
        username: name,
        name,
        password,
        subscription,
        apiKey: true,
      }),
    );
  }
  await db.close();
  return accounts;
}
