import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { localInstant, shortCount } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { pickImage, ResponsiveImage } from '../../../ui/image.tsx';
import type { UploadItem } from '../../uploads/upload-item.ts';
import { audienceText, isScheduled } from '../content/audience.ts';
import { AudienceDialog } from '../content/audience-dialog.tsx';
import { DeleteContentButton, UnpublishButton } from '../content/content-actions.tsx';
import { ContentProgress } from '../content/content-progress.tsx';
import { isWatchable } from '../content/job-state.ts';

interface Properties {
  readonly content: StudioContentFragment;
  readonly upload: UploadItem | null;
  readonly may: { readonly edit: boolean; readonly delete: boolean };
  readonly onChange: () => void;
  readonly onDelete: () => void;
}

/** Beside the editor: how the content looks, who can watch it, its link, and what it is waiting for. */
export function ContentSummary({ content, upload, may, onChange, onDelete }: Properties) {
  const { shortCode, metadata, viewCount, commentCount } = content;
  const likeCount = content.likes.count;
  const watchable = isWatchable(content);
  const image = (
    <ResponsiveImage
      image={pickImage(content.assets.images, 'THUMBNAIL', 'POSTER')}
      sizes="(min-width: 80rem) 18rem, 90vw"
      className="aspect-video w-full"
    />
  );
  return (
    <aside
      aria-label={t`Summary`}
      className={
        'overflow-hidden rounded-2xl bg-surface pb-4 max-sm:space-y-4 sm:max-xl:grid ' +
        'sm:max-xl:grid-cols-[14rem_minmax(0,1fr)] sm:max-xl:items-start xl:space-y-4'
      }
    >
      {watchable ? (
        <Link
          to="/w/$code"
          params={{ code: shortCode }}
          aria-label={t`Watch ${metadata.title}`}
          className="group relative block"
        >
          {image}
          <span
            className={
              'absolute inset-0 grid place-items-center opacity-0 ' +
              'group-hover:opacity-100 group-focus-visible:opacity-100'
            }
          >
            <Icon name="play" className="size-12 rounded-full bg-ink/80 p-3 text-fore" />
          </span>
        </Link>
      ) : (
        image
      )}
      <div className="space-y-4 px-4 sm:max-xl:pt-4">
        <ContentProgress content={content} upload={upload} open={null} />
        <Audience content={content} mayEdit={may.edit} onChange={onChange} />
        {watchable && (
          <p className="text-sm text-muted">
            {[
              plural(viewCount, { one: '# view', other: '# views' }, shortCount(viewCount)),
              plural(commentCount, { one: '# comment', other: '# comments' }, shortCount(commentCount)),
              plural(likeCount, { one: '# like', other: '# likes' }, shortCount(likeCount)),
            ].join(' · ')}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          {watchable && <CopyButton text={`${location.origin}/w/${shortCode}`} label={t`Copy link`} />}
          {may.edit && <UnpublishButton content={content} onChange={onChange} />}
          {may.delete && <DeleteContentButton content={content} onDelete={onDelete} />}
        </div>
      </div>
    </aside>
  );
}

/** Who can watch, and from when on. */
function Audience({
  content,
  mayEdit,
  onChange,
}: {
  content: StudioContentFragment;
  mayEdit: boolean;
  onChange: () => void;
}) {
  const [choosing, setChoosing] = useState(false);
  const { releaseDate } = content.metadata;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p>
        <span className="block text-sm text-muted">{t`Visibility`}</span>
        <span className="font-semibold">{audienceText(content, Date.now())}</span>
        {isScheduled(content, Date.now()) && releaseDate && (
          <time dateTime={releaseDate} className="block text-sm">
            {localInstant(releaseDate)}
          </time>
        )}
      </p>
      {mayEdit && <Button onClick={() => setChoosing(true)}>{t`Change visibility`}</Button>}
      <AudienceDialog content={content} open={choosing} onChange={onChange} onClose={() => setChoosing(false)} />
    </div>
  );
}
