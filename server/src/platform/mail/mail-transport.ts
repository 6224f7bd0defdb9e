import { join } from 'node:path';
import type { Config } from '../config/config.ts';

/** A message to one recipient. */
export interface MailMessage {
  /** An address; headers are written by the transport, which encodes what it is given. */
  readonly to: string;
  readonly subject: string;
  /** The message as plain text. */
  readonly text: string;
  /** The same as HTML. */
  readonly html: string;
}

/** Where messages go. */
export interface MailTransport {
  /**
   * Hands a message over. The id makes a repeated delivery recognizable. Throws AppError INVALID_INPUT when the server
   * will never take it, other errors when it may take it later.
   */
  deliver(id: string, message: MailMessage): Promise<void>;
  close(): void;
}

/** The transport that MAIL names. */
export async function openMailTransport(
  config: Pick<Config, 'MAIL' | 'MAIL_FROM' | 'SMTP_URL' | 'DATA_DIR'>,
): Promise<MailTransport> {
  if (config.MAIL === 'folder' || !config.SMTP_URL) {
    const { folderTransport } = await import('./folder-transport.ts');
    return folderTransport(join(config.DATA_DIR, 'mail'), config.MAIL_FROM);
  }
  const { smtpTransport } = await import('./smtp-transport.ts');
  return smtpTransport(config.SMTP_URL, config.MAIL_FROM);
}
