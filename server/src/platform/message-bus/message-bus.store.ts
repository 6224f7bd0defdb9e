import type { Executor } from '../db/database.ts';
import { sql } from '../db/statement.ts';

/** The PostgreSQL channel that wakes receivers. */
export const MESSAGE_BUS_CHANNEL = 'reelgraph_message_bus';

/** A stored message. */
export interface Letter {
  readonly address: string;
  readonly message: string;
}

// Each send deletes some expired messages, so that no separate cleanup is needed.
const POST = sql(
  'post_message',
  `with forgotten as (
     delete from message_bus where address in (
       select address from message_bus where posted_at <= $4 and address <> $1 order by posted_at
         limit 10 for update skip locked)
   ), posted as (
     insert into message_bus (address, message, posted_at) values ($1, $2, $3) on conflict (address) do nothing
       returning address
   )
   select pg_notify('${MESSAGE_BUS_CHANNEL}', '') from posted`,
);

/** Stores a message unless the address already has one, and wakes the receivers. Instants are ISO 8601. */
export async function postLetter(
  db: Executor,
  letter: Letter,
  at: { readonly now: string; readonly forgottenBefore: string },
): Promise<void> {
  await db.run(POST, [letter.address, letter.message, at.now, at.forgottenBefore]);
}

const TAKE = sql('receive_messages', 'delete from message_bus where address = any($1) returning address, message');

/** Receives and removes the messages at the addresses. */
export function takeLetters(db: Executor, addresses: readonly string[]): Promise<Letter[]> {
  return db.run<Letter>(TAKE, [addresses]);
}
