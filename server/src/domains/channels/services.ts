import type { Database, Transaction } from '../../platform/db/database.ts';
import type { MailMessage } from '../../platform/mail/mail-transport.ts';

/** Services of this domain's commands with transactions; `services.channels` of the engine. */
export interface ChannelsServices {
  readonly db: Database;
  /** Queues a message in the transaction that causes it. */
  queueMail(tx: Transaction, message: MailMessage, expiresAtMs: number): Promise<void>;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly channels: ChannelsServices;
  }
}
