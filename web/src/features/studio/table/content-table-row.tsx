import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { contentTail } from '../../../lib/did.ts';
import { localInstant, shortCount } from '../../../lib/format.ts';
import { formatLocale, plural, t } from '../../../lib/i18n.ts';
import { Icon } from '../../../ui/icons.tsx';
import { pickImage, ResponsiveImage } from '../../../ui/image.tsx';
import { isWatchable } from '../../uploads/job-state.ts';
import { type Audience, audienceOf, audienceText, isScheduled } from '../audience/audience.ts';
import { AudienceDialog } from '../audience/audience-dialog.tsx';
import type { Column } from './columns.ts';
import { numberCell } from './content-table.tsx';
import { RowMenu } from './row-actions.tsx';
import { RowProgress } from './row-progress.tsx';
import type { RowProperties } from './row-properties.ts';

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
        'max-xl:relative max-xl:flex max-xl:flex-wrap max-xl:items-center max-xl:py-2.5 ' +
        (may.edit ? 'max-xl:ps-9' : '')
      }
    >
      {may.edit && (
        <td className="py-2 ps-2 align-middle max-xl:absolute max-xl:top-4 max-xl:start-0 max-xl:ps-1">
          <input
            type="checkbox"
            aria-label={t`Select ${title}`}
            checked={selected}
            onChange={(event) => onSelect(event.currentTarget.checked)}
            className="size-4.5 align-middle accent-accent"
          />
        </td>
      )}
      <td className="w-full py-1.5 pe-3 align-middle max-xl:w-[calc(100%-3rem)] xl:max-w-0 xl:ps-2">
        <TitleCell {...row} />
      </td>
      {columns.map((column) => (
        <td
          key={column}
          className={`text-sm whitespace-nowrap text-muted max-xl:order-last max-xl:pe-4 xl:px-2 ${numberCell(column)}`}
        >
          <ValueCell column={column} row={row} />
        </td>
      ))}
      <td className="pe-1 text-end align-middle max-xl:w-12">
        <RowMenu {...row} />
      </td>
    </tr>
  );
}

function TitleCell({ content, upload, open, may }: RowProperties) {
  const { id, shortCode, metadata, status } = content;
  const page = may.edit
    ? ({ to: '/studio/content/$', params: { _splat: contentTail(id) } } as const)
    : isWatchable({ status })
      ? ({ to: '/w/$code', params: { code: shortCode } } as const)
      : null;
  const look = 'line-clamp-1 font-medium [overflow-wrap:anywhere]';
  return (
    <div className="flex min-h-11 items-center gap-3">
      <ResponsiveImage
        image={pickImage(content.assets.images, 'THUMBNAIL', 'POSTER')}
        decorative
        sizes="5rem"
        className="aspect-video h-11 w-20 shrink-0 rounded-md"
      />
      <div className="min-w-0 grow">
        {page ? (
          <Link {...page} dir="auto" className={`${look} hover:text-accent-text`} title={metadata.title}>
            {metadata.title}
          </Link>
        ) : (
          <p dir="auto" className={look}>
            {metadata.title}
          </p>
        )}
        <RowProgress content={content} upload={upload} open={open} mayEdit={may.edit} />
      </div>
    </div>
  );
}

function ValueCell({ column, row }: { column: Column; row: RowProperties }): ReactNode {
  const { content } = row;
  switch (column) {
    case 'visibility':
      return <VisibilityCell {...row} />;
    case 'date':
      return <DateCell content={content} />;
    case 'views':
      return <NumberCell count={content.viewCount} text={viewsText} />;
    case 'comments':
      return <NumberCell count={content.commentCount} text={commentsText} />;
    case 'likes':
      return <NumberCell count={content.likes.count} text={likesText} />;
  }
}

const viewsText = (count: number): string => plural(count, { one: '# view', other: '# views' }, shortCount(count));
const commentsText = (count: number): string =>
  plural(count, { one: '# comment', other: '# comments' }, shortCount(count));
const likesText = (count: number): string => plural(count, { one: '# like', other: '# likes' }, shortCount(count));

/** The bare number under a heading; with its noun in a list. */
function NumberCell({ count, text }: { count: number; text: (count: number) => string }) {
  return (
    <>
      <span className="max-xl:hidden">{shortCount(count)}</span>
      <span className="xl:hidden">{text(count)}</span>
    </>
  );
}

const DATE = new Intl.DateTimeFormat(formatLocale, { dateStyle: 'medium' });

function DateCell({ content: { createdAt, publishedAt, metadata, ...rest } }: { content: StudioContentFragment }) {
  if (isScheduled({ ...rest, metadata }, Date.now()) && metadata.releaseDate) {
    return <time dateTime={metadata.releaseDate}>{localInstant(metadata.releaseDate)}</time>;
  }
  const date = publishedAt ?? createdAt;
  return (
    <time dateTime={date} title={publishedAt ? t`Published` : t`Created`}>
      {DATE.format(new Date(date))}
    </time>
  );
}

const DOTS: Readonly<Record<Audience, string>> = {
  PRIVATE: 'bg-line-strong',
  UNLISTED: 'bg-accent-text',
  SCHEDULED: 'bg-accent-text',
  PUBLIC: 'bg-sea',
};

/** Who can watch; a button for those who may change it. */
function VisibilityCell({ content, may, onChange }: RowProperties) {
  const [choosing, setChoosing] = useState(false);
  const audience = audienceText(content, Date.now());
  const face = (
    <>
      <span aria-hidden className={`me-1 size-2 shrink-0 rounded-full ${DOTS[audienceOf(content, Date.now())]}`} />
      {audience}
    </>
  );
  if (!may.edit) return <span className="inline-flex items-center gap-1">{face}</span>;
  return (
    <>
      <button
        type="button"
        aria-label={t`Visibility of ${content.metadata.title}: ${audience}`}
        onClick={() => setChoosing(true)}
        className="-mx-2 inline-flex min-h-9 items-center gap-1 rounded-lg px-2 text-fore hover:bg-raised"
      >
        {face}
        <Icon name="chevron" className="size-3.5 text-muted" />
      </button>
      <AudienceDialog content={content} open={choosing} onChange={onChange} onClose={() => setChoosing(false)} />
    </>
  );
}
