import type { Database, Transaction } from '../../platform/db/database.ts';
import type { Mail } from '../../platform/mail/compose-mail.ts';

/** Services of this domain's commands with transactions; `services.channels` of the engine. */
export interface ChannelsServices {
  readonly db: Database;
  /** Queues a message in the transaction that causes it. */
  queueMail(tx: Transaction, mail: Mail, expiresAtMs: number): Promise<void>;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly channels: ChannelsServices;
  }
}
