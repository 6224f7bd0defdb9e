import { createTransport } from 'nodemailer';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { MailTransport } from './mail-transport.ts';
import { messageOptions } from './message-options.ts';

const TIMEOUT_MS = 20_000;

/**
 * Sends by the mail server at `url`. With smtp:// the connection is encrypted by STARTTLS, which servers outside this
 * machine must offer: messages contain links that reset passwords.
 */
export function smtpTransport(url: string, from: string): MailTransport {
  const transport = connectionTo(url);
  return {
    async deliver(id, message) {
      try {
        await transport.sendMail(messageOptions(id, from, message));
      } catch (error) {
        throw isRefusal(error)
          ? new AppError('INVALID_INPUT', t`The mail server refuses this message or its recipient.`, { cause: error })
          : error;
      }
    },
    close: () => transport.close(),
  };
}

/** Connects and signs in as for a message, and sends none. Throws what the mail server or the network says. */
export async function verifySmtp(url: string): Promise<void> {
  const transport = connectionTo(url);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function connectionTo(url: string) {
  const { hostname } = new URL(url);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return createTransport({
    url,
    requireTLS: !isLocal && !url.startsWith('smtps:'),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
}

/** Whether the server answered a command for this message with a permanent code (RFC 5321, section 4.2.1). */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown };
  const ofMessage = ['RCPT TO', 'DATA'].includes(String(command));
  return ofMessage && typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600;
}
