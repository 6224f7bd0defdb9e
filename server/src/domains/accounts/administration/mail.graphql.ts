import type { Graph } from '../../../gql/index.ts';

/** Declares what operators see of the server's mail. Returns the type MailTransport. */
export function declareMail(graph: Graph) {
  const MailTransport = graph.builder.enumType('MailTransport', {
    description: 'Where messages go.',
    values: {
      FOLDER: { description: 'To a folder of the server, for operators to pass on.' },
      SMTP: { description: 'To their recipients.' },
    } as const,
  });
  const MailMessage = graph.object('MailMessage', {
    description: 'A message in the mail folder of the server.',
    fields: (f) => ({
      id: f.value({ type: 'DID', description: 'Its id.' }),
      to: f.value({ type: 'String', description: 'Email address of the recipient.' }),
      subject: f.value({ type: 'String', description: 'Subject.' }),
      sentAt: f.value({ type: 'DateTime', description: 'When it was written.' }),
      text: f.value({
        type: 'String',
        secret: true,
        description: 'The message as plain text; it may contain a link that is as good as a password.',
      }),
    }),
  });
  graph.queryKeys('mailMessages', {
    access: 'account:administer',
    type: MailMessage,
    description:
      'Messages in the mail folder of this server, newest first; the newest 1,000 are kept. None with SMTP: ' +
      'serverStatus.mail.transport. For signed-in operators.',
    keys: ({ services }) => services.accounts.mailMessages.list(),
    read: async (context, keys) => {
      const messages = await context.services.accounts.mailMessages.read(keys);
      return new Map(
        messages.map((message) => [message.id, { ...message, id: context.did('mailMessage', message.id) }]),
      );
    },
  });
  return MailTransport;
}
