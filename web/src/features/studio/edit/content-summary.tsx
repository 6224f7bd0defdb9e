import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { shortCount } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Code } from '../../../ui/code.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { pickImage, ResponsiveImage } from '../../../ui/image.tsx';
import { SharingButton } from '../../sharing/sharing-button.tsx';
import { isWatchable } from '../../uploads/job-state.ts';
import { isUnfinished, type UploadItem } from '../../uploads/upload-item.ts';
import { audienceLine, audienceOf } from '../audience/audience.ts';
import { AudienceDialog } from '../audience/audience-dialog.tsx';
import { DeleteContentButton, UnpublishButton } from '../content/content-actions.tsx';
import { ContentProgress } from '../content/content-progress.tsx';
import { isContainer } from '../kinds/kind-lists.ts';

const ArrivingPreview = lazy(async () => ({
  default: (await import('../../uploads/arriving-preview.tsx')).ArrivingPreview,
}));
const SummaryPlayer = lazy(async () => ({ default: (await import('./summary-player.tsx')).SummaryPlayer }));

interface Properties {
  readonly content: StudioContentFragment;
  readonly upload: UploadItem | null;
  readonly may: { readonly edit: boolean; readonly delete: boolean };
  readonly onChange: () => Promise<void>;
  readonly onDelete: () => void;
}

/** Beside the editor: how the content looks, who can watch it, its link, and what it is waiting for. */
export function ContentSummary({ content, upload, may, onChange, onDelete }: Properties) {
  const { shortCode, metadata, viewCount, commentCount } = content;
  const likeCount = content.likes.count;
  const watchable = isWatchable(content);
  const [playing, setPlaying] = useState(false);
  const isSending = isAwaited(content, upload);
  // What is played while it arrives plays on when all has arrived.
  const [wasSending, setWasSending] = useState(isSending);
  if (isSending && !wasSending) setWasSending(true);
  const image = (
    <ResponsiveImage
      image={pickImage(content.assets.images, 'THUMBNAIL', 'POSTER')}
      sizes="(min-width: 80rem) 18rem, 90vw"
      className="aspect-video w-full"
    />
  );
  const still =
    watchable && !isContainer(content.kind) ? (
      <button
        type="button"
        aria-label={t`Play ${metadata.title}`}
        onClick={() => setPlaying(true)}
        className="relative block w-full overflow-hidden max-sm:rounded-lg"
      >
        {image}
        <span className="absolute inset-0 grid place-items-center">
          <Icon name="play" className="size-12 rounded-full bg-ink/80 p-3 text-fore max-sm:size-9 max-sm:p-2" />
        </span>
      </button>
    ) : (
      image
    );
  return (
    <aside
      aria-label={t`Summary`}
      className={
        'overflow-hidden rounded-2xl bg-surface max-sm:gap-3 max-sm:p-3 sm:pb-4 max-xl:grid max-xl:items-start ' +
        'xl:space-y-4 sm:max-xl:grid-cols-[14rem_minmax(0,1fr)] ' +
        (playing ? '' : 'max-sm:grid-cols-[7rem_minmax(0,1fr)]')
      }
    >
      {playing ? (
        <Suspense fallback={image}>
          <SummaryPlayer contentId={content.id} title={metadata.title} />
        </Suspense>
      ) : wasSending ? (
        <Suspense fallback={still}>
          <ArrivingPreview contentId={content.id} title={metadata.title} isSending={isSending} fallback={still} />
        </Suspense>
      ) : (
        still
      )}
      <div className="min-w-0 space-y-4 max-sm:space-y-2 sm:px-4 sm:max-xl:pt-4">
        <ContentProgress content={content} upload={upload} open={null} />
        <Audience content={content} mayEdit={may.edit} onChange={onChange} />
        {watchable && (
          <p className="text-sm text-muted max-sm:hidden">
            {[
              plural(viewCount, { one: '# view', other: '# views' }, shortCount(viewCount)),
              plural(commentCount, { one: '# comment', other: '# comments' }, shortCount(commentCount)),
              plural(likeCount, { one: '# like', other: '# likes' }, shortCount(likeCount)),
            ].join(' · ')}
          </p>
        )}
        {watchable && (
          <Link
            to="/w/$code"
            params={{ code: shortCode }}
            className="block text-sm text-accent-text underline underline-offset-3 [overflow-wrap:anywhere]"
          >
            <Code as="bdi">{`${location.host}/w/${shortCode}`}</Code>
          </Link>
        )}
      </div>
      <div className="flex flex-wrap gap-2 max-sm:col-span-full sm:px-4 sm:max-xl:col-start-2 sm:max-xl:pt-3">
        {/* On phones, the link itself can be copied. */}
        {watchable && (
          <span className="max-sm:hidden">
            <CopyButton text={`${location.origin}/w/${shortCode}`} label={t`Copy link`} />
          </span>
        )}
        {may.edit && !isContainer(content.kind) && audienceOf(content, Date.now()) === 'PRIVATE' && (
          <SharingButton contentId={content.id} title={metadata.title} />
        )}
        {may.edit && <UnpublishButton content={content} onChange={onChange} />}
        {may.delete && <DeleteContentButton content={content} onDelete={onDelete} />}
      </div>
    </aside>
  );
}

/** Whether the first video of a content is being uploaded, from this browser or elsewhere. */
function isAwaited({ status, transcodeJob }: StudioContentFragment, upload: UploadItem | null): boolean {
  if (upload) return !upload.replaces && isUnfinished(upload);
  return status === 'DRAFT' && transcodeJob?.status === 'IDLE';
}

/** Who can watch, and from when on. */
function Audience({
  content,
  mayEdit,
  onChange,
}: {
  content: StudioContentFragment;
  mayEdit: boolean;
  onChange: () => Promise<void>;
}) {
  const [choosing, setChoosing] = useState(false);
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p>
        <span className="block text-sm text-muted">{t`Visibility`}</span>
        <span className="font-semibold">{audienceLine(content, Date.now())}</span>
      </p>
      {mayEdit && <Button aria-label={t`Change visibility`} onClick={() => setChoosing(true)}>{t`Change`}</Button>}
      <AudienceDialog content={content} open={choosing} onChange={onChange} onClose={() => setChoosing(false)} />
    </div>
  );
}
