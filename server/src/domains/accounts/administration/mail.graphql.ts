import type { Graph } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

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
      id: f.value({ type: 'ID', description: 'Its id, for the next page.' }),
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
  const MailMessageList = graph.object('MailMessageList', {
    description: 'Where mail of this server goes, and messages in its mail folder.',
    fields: (f) => ({
      transport: f.value({ type: MailTransport, description: 'Where messages go.' }),
      messages: f.value({
        type: [MailMessage],
        description: 'Messages in the folder, newest first; the newest 1,000 are kept. Empty with SMTP.',
      }),
    }),
  });
  graph.queryResolve('mailMessages', {
    access: 'account:administer',
    type: MailMessageList,
    description: 'Messages in the mail folder of this server, newest first. For signed-in operators.',
    args: (t) => ({
      limit: t.int({ description: `Page size, 1 to ${MAX_LIMIT}; default ${DEFAULT_LIMIT}.` }),
      before: t.id({ description: 'Id of the last message of the page before.' }),
    }),
    resolve: async ({ services }, { limit, before }) => {
      const most = limit ?? DEFAULT_LIMIT;
      if (most < 1 || most > MAX_LIMIT)
        throw new AppError('INVALID_INPUT', t`limit must be between 1 and ${MAX_LIMIT}.`, {
          field: 'limit',
          suggestedFix: t`Ask for fewer messages, and for more with before.`,
        });
      if (typeof before === 'string' && !isUuid(before))
        throw new AppError('INVALID_INPUT', t`This is not the id of a message.`, {
          field: 'before',
          suggestedFix: t`Send the id of the last message of the page before.`,
        });
      return services.accounts.mailMessages(most, typeof before === 'string' ? before : null);
    },
  });
  return MailTransport;
}
