import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ContentStatus } from '../../features/studio/content/content-status.tsx';
import { useContents } from '../../features/studio/content/use-contents.ts';
import { SERIES_KINDS } from '../../features/studio/kinds/kind-lists.ts';
import { KIND_NAMES } from '../../features/studio/kinds/kinds.ts';
import { StudioCard, StudioCards } from '../../features/studio/studio-card.tsx';
import { hasRole } from '../../features/studio/studio-context.ts';
import { useUploads } from '../../features/uploads/upload-list.ts';
import { CreateMiniseries, CreateSeries } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { contentTail } from '../../lib/did.ts';
import { calendarDate } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { pickImage } from '../../ui/image.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';

const route = getRouteApi('/studio/series');

/** The series and miniseries of the channel. */
export function StudioSeriesPage() {
  const { studio } = route.useRouteContext();
  const [creating, setCreating] = useState(false);
  const list = useContents(route.useLoaderData(), { channelId: studio.channel.id, kinds: SERIES_KINDS }, useUploads());
  const action = useAction();
  const mayEdit = hasRole(studio.role, 'EDITOR');
  const start = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" className="size-4" /> {t`New series`}
    </Button>
  );
  return (
    <div className="space-y-6">
      <title>{`${t`Series`} · ${t`Studio`} · ${siteName()}`}</title>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-3xl font-bold">{t`Series`}</h1>
        {mayEdit && list.contents.length > 0 && start}
      </div>
      {list.contents.length === 0 && (
        <Empty
          title={t`No series yet`}
          action={mayEdit && start}
        >{t`A series has seasons with episodes; a miniseries has episodes only. Each has its own page.`}</Empty>
      )}
      <StudioCards>
        {list.contents.map((content) => (
          <StudioCard
            key={content.id}
            image={pickImage(content.assets.images, 'THUMBNAIL', 'POSTER')}
            title={content.metadata.title}
            link={{ to: '/studio/content/$', params: { _splat: contentTail(content.id) } }}
            badge={<ContentStatus content={content} />}
          >
            {KIND_NAMES[content.kind]} · {calendarDate(content.createdAt)}
          </StudioCard>
        ))}
      </StudioCards>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {list.hasMore && (
        <p className="text-center">
          <Button busy={action.busy !== null} onClick={() => action.run('more', list.more)}>{t`Show more`}</Button>
        </p>
      )}
      <Dialog open={creating} title={t`New series`} onClose={() => setCreating(false)}>
        <NewSeries channelId={studio.channel.id} onClose={() => setCreating(false)} />
      </Dialog>
    </div>
  );
}

function NewSeries({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm(async (data) => {
    const input = { channel: channelId, title: textOf(data, 'title'), summary: textOf(data, 'summary') };
    const created =
      data.get('kind') === 'MINISERIES'
        ? (await api(CreateMiniseries, { input })).createMiniseries.content
        : (await api(CreateSeries, { input })).createSeries.content;
    await navigate({ to: '/studio/content/$', params: { _splat: contentTail(created.id) } });
  });
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      {form.error !== null && <ErrorNotice error={form.error} />}
      <TextField label={t`Title`} name="title" required error={form.fieldError('title')} />
      <TextArea label={t`Description`} name="summary" error={form.fieldError('summary')} />
      <fieldset className="space-y-2">
        <legend className="mb-1.5 text-sm font-semibold">{t`Type`}</legend>
        {[
          ['SERIES', t`Series with seasons`],
          ['MINISERIES', t`Miniseries (episodes only)`],
        ].map(([kind, label]) => (
          <label key={kind} className="flex items-center gap-3">
            <input
              type="radio"
              name="kind"
              value={kind}
              defaultChecked={kind === 'SERIES'}
              className="size-4 accent-accent"
            />
            {label}
          </label>
        ))}
      </fieldset>
      <DialogButtons>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button look="primary" type="submit" busy={form.busy}>{t`Create`}</Button>
      </DialogButtons>
    </form>
  );
}
