import { Link, useNavigate } from '@tanstack/react-router';
import { CreateChannel } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { channelPath } from '../../lib/did.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

/** The form for a new channel. */
export function StudioNewChannelPage() {
  const navigate = useNavigate();
  const form = useForm(async (data) => {
    const input = {
      name: textOf(data, 'name'),
      handle: textOf(data, 'handle').replace(/^@/, ''),
      summary: textOf(data, 'summary'),
    };
    const { channel } = (await api(CreateChannel, { input })).createChannel;
    await navigate({ to: '/studio/channel', search: { channel: channelPath(channel.id) } });
  });
  return (
    <div className="max-w-xl space-y-6">
      <title>{`${t`New channel`} · ${t`Studio`} · ${siteName()}`}</title>
      <header className="space-y-1">
        <h1 className="text-3xl font-bold">{t`New channel`}</h1>
        <p className="text-muted">{t`A channel has its own name, videos, followers and members. You will be its
          owner.`}</p>
      </header>
      <form onSubmit={form.onSubmit} className="space-y-4 card p-5 sm:p-6">
        {form.error !== null && <ErrorNotice error={form.error} />}
        <TextField label={t`Name`} name="name" required error={form.fieldError('name')} />
        <TextField
          label={t`Handle`}
          name="handle"
          required
          autoComplete="off"
          hint={t`Unique name used in links and mentions.`}
          error={form.fieldError('handle')}
        />
        <TextArea label={t`Description`} name="summary" error={form.fieldError('summary')} />
        <div className="flex flex-wrap gap-3">
          <Button look="primary" type="submit" busy={form.busy}>{t`Create channel`}</Button>
          <Link to="/studio" className={buttonClass()}>{t`Cancel`}</Link>
        </div>
      </form>
    </div>
  );
}
