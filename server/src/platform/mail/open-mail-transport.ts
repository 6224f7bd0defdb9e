import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { MailTransport } from './mail-transport.ts';

/** Where MAIL=folder writes messages. */
export function mailFolder({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string {
  return join(DATA_DIR, 'mail');
}

/** The transport that MAIL names. */
export async function openMailTransport(
  config: Pick<Config, 'MAIL' | 'MAIL_FROM' | 'SMTP_URL' | 'DATA_DIR'>,
): Promise<MailTransport> {
  if (config.MAIL === 'folder' || !config.SMTP_URL) {
    const { folderTransport } = await import('./folder-transport.ts');
    return folderTransport(mailFolder(config), config.MAIL_FROM);
  }
  const { smtpTransport } = await import('./smtp-transport.ts');
  return smtpTransport(config.SMTP_URL, config.MAIL_FROM);
}
