import type { Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';

const ESTABLISH = sql(
  'establish_salt',
  'insert into viewer_salts (day, salt) values ($1, $2) on conflict (day) do nothing',
);
const RECALL = sql('find_salt', 'select salt from viewer_salts where day = $1');

/** The salt of a UTC day: `offered`, unless another process was first. */
export async function establishSalt(db: Executor, day: string, offered: Buffer): Promise<Buffer> {
  await db.run(ESTABLISH, [day, offered]);
  const row = await db.first<{ salt: Buffer }>(RECALL, [day]);
  if (!row) throw new Error(`The salt of ${day} has already been destroyed.`);
  return row.salt;
}

const DESTROY = sql('destroy_salts', 'delete from viewer_salts where day < $1');

/** Destroys the salts of the days before `day`. */
export async function destroySalts(db: Executor, day: string): Promise<void> {
  await db.run(DESTROY, [day]);
}
