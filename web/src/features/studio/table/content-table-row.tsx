import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { watchPath } from '../../../lib/did.ts';
import { calendarDate, clockTime, counted, localInstant, shortCount } from '../../../lib/format.ts';
import { Icon } from '../../../ui/icons.tsx';
import { pickImage, ResponsiveImage } from '../../../ui/image.tsx';
import type { UploadItem } from '../../uploads/upload-item.ts';
import { audienceText, isScheduled } from '../content/audience.ts';
import { AudienceDialog } from '../content/audience-dialog.tsx';
import { ContentProgress, type OpenUpload } from '../content/content-progress.tsx';
import { ContentStatus } from '../content/content-status.tsx';
import { isWatchable } from '../content/job-state.ts';
import { KIND_NAMES } from '../content/kinds.ts';
import type { Column } from './columns.ts';
import { numberCell } from './content-table.tsx';
import { RowActions } from './row-actions.tsx';

export interface RowProperties {
  readonly content: StudioContentFragment;
  readonly columns: readonly Column[];
  readonly upload: UploadItem | null;
  /** The latest unfinished upload: started in another session, or failed. */
  readonly open: OpenUpload | null;
  readonly may: { readonly edit: boolean; readonly delete: boolean };
  readonly selected: boolean;
  readonly onSelect: (selected: boolean) => void;
  readonly onChange: (content: StudioContentFragment) => void;
  readonly onDelete: (id: string) => void;
}

/** A video: 60 px high where nothing is in progress. */
export function ContentTableRow(row: RowProperties) {
  const { content, columns, may, selected, onSelect } = row;
  const { title } = content.metadata;
  return (
    <tr
      aria-label={title}
      aria-selected={selected}
      className={
        'group border-b border-line hover:bg-surface focus-within:bg-surface aria-selected:bg-raised ' +
        'max-xl:grid max-xl:grid-cols-[2.5rem_minmax(0,1fr)_auto] max-xl:py-2'
      }
    >
      {may.edit && (
        <td className="py-2 pl-2 align-middle">
          <input
            type="checkbox"
            aria-label={`Select ${title}`}
            checked={selected}
            onChange={(event) => onSelect(event.currentTarget.checked)}
            className="size-4.5 align-middle accent-accent"
          />
        </td>
      )}
      <td className={`w-full px-2 py-1.5 align-middle ${may.edit ? '' : 'max-xl:col-span-2'}`}>
        <TitleCell {...row} />
      </td>
      {columns.map((column) => (
        <td
          key={column}
          className={
            'px-2 text-sm whitespace-nowrap text-muted max-xl:order-last max-xl:col-span-2 max-xl:col-start-2 ' +
            numberCell(column)
          }
        >
          <ValueCell column={column} row={row} />
        </td>
      ))}
      <td className="pr-1 text-right align-middle whitespace-nowrap">
        <RowActions {...row} />
      </td>
    </tr>
  );
}

function TitleCell({ content, upload, open, may }: RowProperties) {
  const { id, metadata, kind, status } = content;
  const facts = [kind !== 'FEATURE' && KIND_NAMES[kind], metadata.duration !== null && clockTime(metadata.duration)];
  const target = { params: { _splat: watchPath(id) } };
  const look = 'line-clamp-1 font-medium [overflow-wrap:anywhere] hover:text-accent-text';
  return (
    <div className="flex min-h-11 items-center gap-3">
      <ResponsiveImage
        image={pickImage(content.assets.images, 'THUMBNAIL', 'POSTER')}
        sizes="5rem"
        className="aspect-video h-11 w-20 shrink-0 rounded-md"
      />
      <div className="min-w-0 grow">
        {may.edit ? (
          <Link to="/studio/content/$" {...target} className={look} title={metadata.title}>
            {metadata.title}
          </Link>
        ) : isWatchable({ status }) ? (
          <Link to="/watch/$" {...target} className={look} title={metadata.title}>
            {metadata.title}
          </Link>
        ) : (
          <p className="line-clamp-1 font-medium">{metadata.title}</p>
        )}
        <p className="text-sm text-muted empty:hidden">{facts.filter(Boolean).join(' · ')}</p>
        <ContentProgress content={content} upload={upload} open={open} />
      </div>
    </div>
  );
}

function ValueCell({ column, row }: { column: Column; row: RowProperties }): ReactNode {
  const { content } = row;
  switch (column) {
    case 'visibility':
      return <VisibilityCell {...row} />;
    case 'status':
      return <ContentStatus status={content.status} />;
    case 'date':
      return <DateCell content={content} />;
    case 'views':
      return <NumberCell count={content.viewCount} noun="view" />;
    case 'comments':
      return <NumberCell count={content.commentCount} noun="comment" />;
    case 'likes':
      return <NumberCell count={content.likes.count} noun="like" />;
  }
}

/** The bare number under a heading; with its noun in a list. */
function NumberCell({ count, noun }: { count: number; noun: string }) {
  return (
    <>
      <span className="max-xl:hidden">{shortCount(count)}</span>
      <span className="xl:hidden">{counted(count, noun)}</span>
    </>
  );
}

function DateCell({ content: { createdAt, publishedAt, metadata, ...rest } }: { content: StudioContentFragment }) {
  if (isScheduled({ ...rest, metadata }, Date.now()) && metadata.releaseDate) {
    return <time dateTime={metadata.releaseDate}>{localInstant(metadata.releaseDate)}</time>;
  }
  const date = publishedAt ?? createdAt;
  return (
    <time dateTime={date} title={publishedAt ? 'Published' : 'Created'}>
      {calendarDate(date)}
    </time>
  );
}

/** Who can watch; a button for those who may change it. */
function VisibilityCell({ content, may, onChange }: RowProperties) {
  const [choosing, setChoosing] = useState(false);
  const text = audienceText(content, Date.now());
  if (!may.edit) return text;
  return (
    <>
      <button
        type="button"
        aria-label={`Visibility of ${content.metadata.title}: ${text}`}
        onClick={() => setChoosing(true)}
        className="-mx-2 inline-flex min-h-9 items-center gap-1 rounded-lg px-2 text-fore hover:bg-raised"
      >
        {text}
        <Icon name="chevron" className="size-3.5 text-muted" />
      </button>
      <AudienceDialog content={content} open={choosing} onChange={onChange} onClose={() => setChoosing(false)} />
    </>
  );
}
