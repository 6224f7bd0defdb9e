import { Link } from '@tanstack/react-router';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { watchPath } from '../../../lib/did.ts';
import { ago, clockTime } from '../../../lib/format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { pickImage, ResponsiveImage } from '../../../ui/image.tsx';
import type { UploadItem } from '../../uploads/upload-item.ts';
import { ContentActions, DeleteContentButton } from './content-actions.tsx';
import { ContentProgress, type OpenUpload } from './content-progress.tsx';
import { ContentStatus } from './content-status.tsx';
import { isWatchable } from './job-state.ts';
import { KIND_NAMES } from './kinds.ts';

interface Properties {
  readonly content: StudioContentFragment;
  readonly upload: UploadItem | null;
  /** The latest unfinished upload: started in another session, or failed. */
  readonly open: OpenUpload | null;
  readonly may: { readonly edit: boolean; readonly delete: boolean };
  readonly selected: boolean;
  readonly onSelect: (selected: boolean) => void;
  readonly onChange: (content: StudioContentFragment) => void;
  readonly onDelete: (id: string) => void;
}

/** A video in the studio list: details, progress and actions. */
export function ContentRow({ content, upload, open, may, selected, onSelect, onChange, onDelete }: Properties) {
  const { id, status, metadata } = content;
  const watchable = isWatchable(content);
  const facts = [
    KIND_NAMES[content.kind],
    metadata.duration !== null && clockTime(metadata.duration),
    metadata.visibility !== 'PUBLIC' && metadata.visibility.toLowerCase(),
    content.publishedAt
      ? `published ${ago(content.publishedAt, Date.now())}`
      : `created ${ago(content.createdAt, Date.now())}`,
  ].filter((fact) => fact !== false);
  return (
    <li
      aria-label={metadata.title}
      className={
        'grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-3 rounded-2xl border border-line bg-surface p-4 ' +
        'sm:grid-cols-[11rem_minmax(0,1fr)] sm:grid-rows-[auto_1fr] sm:gap-x-5'
      }
    >
      <div className="relative self-start sm:row-span-2">
        <ResponsiveImage
          image={pickImage(content.assets.images, 'THUMBNAIL', 'POSTER')}
          sizes="11rem"
          className="aspect-video w-full rounded-lg"
        />
        {may.edit && (
          <label className="absolute top-2 left-2 grid size-8 cursor-pointer place-items-center rounded-lg bg-ink/85">
            <input
              type="checkbox"
              aria-label={`Select ${metadata.title}`}
              checked={selected}
              onChange={(event) => onSelect(event.currentTarget.checked)}
              className="size-5 accent-accent"
            />
          </label>
        )}
      </div>
      <div className="min-w-0 space-y-1 sm:space-y-2">
        <div className="flex items-start justify-between gap-x-4 gap-y-1 max-sm:flex-wrap">
          <h3 className="min-w-0 font-semibold [overflow-wrap:anywhere]">
            {watchable ? (
              <Link to="/watch/$" params={{ _splat: watchPath(id) }} className="hover:text-accent-text">
                {metadata.title}
              </Link>
            ) : (
              metadata.title
            )}
          </h3>
          <ContentStatus status={status} />
        </div>
        <p className="text-sm text-muted">{facts.join(' · ')}</p>
      </div>
      <div className="col-span-2 min-w-0 space-y-3 sm:col-span-1 sm:col-start-2">
        <ContentProgress content={content} upload={upload} open={open} />
        <div className="flex flex-wrap gap-2">
          {may.edit && <ContentActions content={content} onChange={onChange} />}
          {may.edit && (
            <Link
              to="/studio/content/$"
              params={{ _splat: watchPath(id) }}
              className={buttonClass('quiet')}
              aria-label={`Edit ${metadata.title}`}
            >
              <Icon name="edit" className="size-4" /> Edit
            </Link>
          )}
          {may.delete && <DeleteContentButton content={content} onDelete={onDelete} />}
        </div>
      </div>
    </li>
  );
}
