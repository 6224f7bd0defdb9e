import type { Executor } from '../db/database.ts';
import { sql } from '../db/statement.ts';

/** The PostgreSQL channel that wakes those who wait for a message. */
export const MAILBOX_CHANNEL = 'reelgraph_message_bus';

/** A message as it lies in the box. */
export interface Letter {
  readonly address: string;
  readonly message: string;
}

// Each message takes some of those along that nobody came for, so that nobody has to sweep.
const POST = sql(
  'post_message',
  `with forgotten as (
     delete from message_bus where address in (
       select address from message_bus where posted_at <= $4 and address <> $1 order by posted_at limit 10 for update skip locked)
   ), posted as (
     insert into message_bus (address, message, posted_at) values ($1, $2, $3) on conflict (address) do nothing returning address
   )
   select pg_notify('${MAILBOX_CHANNEL}', '') from posted`,
);

/** Leaves a message, unless there is one at the address already, and wakes whoever waits. Instants are ISO 8601. */
export async function postLetter(
  db: Executor,
  letter: Letter,
  at: { readonly now: string; readonly forgottenBefore: string },
): Promise<void> {
  await db.run(POST, [letter.address, letter.message, at.now, at.forgottenBefore]);
}

const TAKE = sql('receive_messages', 'delete from message_bus where address = any($1) returning address, message');

/** Takes what has come to the addresses. */
export function takeLetters(db: Executor, addresses: readonly string[]): Promise<Letter[]> {
  return db.run<Letter>(TAKE, [addresses]);
}
