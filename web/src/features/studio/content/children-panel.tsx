import { Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import {
  CreateEpisode,
  CreateSeason,
  MoveEpisode,
  MoveSeason,
  type StudioContentFragment,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { contentTail } from '../../../lib/did.ts';
import { clockTime } from '../../../lib/format.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { textOf, useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { count, percent } from '../../../lib/numbers.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FileButton } from '../../../ui/file-button.tsx';
import { pickImage, ResponsiveImage } from '../../../ui/image.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Sortable } from '../../../ui/sortable.tsx';
import { uploadToContent, VIDEO_TYPES } from '../../uploads/upload-commands.ts';
import type { UploadItem } from '../../uploads/upload-item.ts';
import { uploadFor, useUploads } from '../../uploads/upload-list.ts';
import { moveItem } from '../playlists/reorder.ts';
import { ContentStatus } from './content-status.tsx';
import type { EditedContent } from './details-form.tsx';
import { MoveChild } from './move-child.tsx';

/** The seasons of a series, or the episodes of a season or miniseries. */
export function ChildrenPanel({ content, mayEdit }: { content: EditedContent; mayEdit: boolean }) {
  const loaded = content.children;
  const [children, setChildren] = useState<readonly StudioContentFragment[]>([]);
  useEffect(() => setChildren((loaded?.edges ?? []).map(({ node }) => node)), [loaded]);
  const action = useAction();
  const router = useRouter();
  const seasons = content.kind === 'SERIES';
  const move = (from: number, to: number): void => {
    const before = children;
    const id = before[from]?.id;
    if (!id) return;
    setChildren(moveItem(before, from, to));
    action.run('move', async () => {
      const request = seasons ? api(MoveSeason, { id, position: to + 1 }) : api(MoveEpisode, { id, position: to + 1 });
      await request.catch((error: unknown) => {
        setChildren(before);
        throw error;
      });
    });
  };
  const total = loaded?.totalCount ?? 0;
  const shown = children.length;
  return (
    <Panel title={seasons ? t`Seasons` : t`Episodes`}>
      {children.length === 0 ? (
        <p className="text-muted">
          {seasons
            ? t`No seasons yet. Add one, then add its episodes.`
            : t`No episodes yet. Add one with its video file.`}
        </p>
      ) : (
        <Sortable
          label={seasons ? t`Seasons` : t`Episodes`}
          items={children}
          nameOf={({ metadata }) => metadata.title}
          enabled={mayEdit}
          onMove={move}
        >
          {(child, index) => (
            <Child child={child} place={index + 1}>
              {mayEdit && (
                <MoveChild
                  child={child}
                  parentId={content.id}
                  channelId={content.channel.id}
                  onMoved={() => void router.invalidate()}
                />
              )}
            </Child>
          )}
        </Sortable>
      )}
      {total > shown && (
        <p className="text-sm text-muted">{t`Showing the first ${count(shown)} of ${count(total)}.`}</p>
      )}
      {action.error !== null && <ErrorNotice error={action.error} />}
      {mayEdit && <NewChild content={content} onAdded={(child) => setChildren((known) => [...known, child])} />}
    </Panel>
  );
}

function Child({ child, place, children }: { child: StudioContentFragment; place: number; children: ReactNode }) {
  const upload = uploadFor(useUploads(), child.id);
  const { title, duration } = child.metadata;
  const number = child.metadata.number ?? place;
  const facts = [
    child.kind === 'SEASON' ? t`Season ${count(number)}` : t`Episode ${count(number)}`,
    duration !== null && clockTime(duration),
    upload?.phase === 'sending' && uploading(upload),
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <ResponsiveImage
        image={pickImage(child.assets.images, 'THUMBNAIL', 'POSTER')}
        sizes="6rem"
        className="aspect-video w-24 shrink-0 rounded-md max-sm:hidden"
      />
      <div className="min-w-0 grow basis-36">
        <Link
          to="/studio/content/$"
          params={{ _splat: contentTail(child.id) }}
          className="font-semibold [overflow-wrap:anywhere] hover:text-accent-text"
        >
          {title}
        </Link>
        <p className="text-sm text-muted">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <ContentStatus content={child} />
      {children}
    </div>
  );
}

function uploading({ sentBytes, totalBytes }: UploadItem): string {
  const percentage = percent(Math.round((sentBytes / Math.max(1, totalBytes)) * 100) / 100);
  return t`uploading ${percentage}`;
}

function NewChild({ content, onAdded }: { content: EditedContent; onAdded: (child: StudioContentFragment) => void }) {
  const seasons = content.kind === 'SERIES';
  const [file, setFile] = useState<File | null>(null);
  const form = useForm(async (data, element) => {
    const input = { title: textOf(data, 'title') };
    if (seasons) onAdded((await api(CreateSeason, { input: { series: content.id, ...input } })).createSeason.content);
    else {
      const episode = (await api(CreateEpisode, { input: { parent: content.id, ...input } })).createEpisode.content;
      onAdded(episode);
      if (file) await uploadToContent(episode, file);
      setFile(null);
    }
    element.reset();
  });
  return (
    <form
      onSubmit={form.onSubmit}
      aria-label={seasons ? t`New season` : t`New episode`}
      className="space-y-4 border-t border-line pt-4"
    >
      {form.error !== null && <ErrorNotice error={form.error} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={seasons ? t`Season title` : t`Episode title`}
          name="title"
          required
          error={form.fieldError('title')}
        />
        {!seasons && (
          <div className="space-y-1.5">
            <p className="text-sm font-semibold">{t`Video file`}</p>
            <FileButton label={t`Video file`} accept={VIDEO_TYPES} onFile={setFile}>{t`Select file`}</FileButton>
            <p role="status" dir="auto" className="text-sm text-muted [overflow-wrap:anywhere]">
              {file?.name ?? t`Optional. You can add it later.`}
            </p>
          </div>
        )}
      </div>
      <Button type="submit" busy={form.busy}>
        {seasons ? t`Add season` : t`Add episode`}
      </Button>
    </form>
  );
}
