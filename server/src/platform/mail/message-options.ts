import type { SendMailOptions } from 'nodemailer';
import type { MailMessage } from './mail-transport.ts';

/** What nodemailer composes a message from; it encodes headers, and refuses nothing that a header could carry on. */
export function messageOptions(
  id: string,
  from: string,
  { to, subject, text, html, unsubscribeUrl, fromName }: MailMessage,
): SendMailOptions {
  const [, domain = 'localhost'] = /@([^@>\s]+)>?$/.exec(from) ?? [];
  return {
    from: fromName === undefined ? from : { name: fromName, address: addressOf(from) },
    // As an object: an address is never read as a list of several.
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${domain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated', // RFC 3834: no automatic replies
      ...(unsubscribeUrl === undefined ? {} : unsubscribing(unsubscribeUrl)),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The address in `Name <address>`, or of an address alone. */
function addressOf(from: string): string {
  return /<([^<>]+)>$/.exec(from)?.[1] ?? from;
}

/** RFC 2369 section 3.2 and RFC 8058 section 3.1. */
function unsubscribing(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
