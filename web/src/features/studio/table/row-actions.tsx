import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type ContentKind, DeleteContent } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { contentTail } from '../../../lib/did.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { Trans, t, tc } from '../../../lib/i18n.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Icon, type IconName } from '../../../ui/icons.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { POPOVER_ITEM, Popover } from '../../../ui/popover.tsx';
import { isWatchable } from '../../uploads/job-state.ts';
import { dropUploadsOf } from '../../uploads/upload-commands.ts';
import { isOpenToOthers, unpublish } from '../audience/audience.ts';
import type { RowProperties } from './row-properties.ts';

const DELETE_QUESTIONS: Readonly<Record<ContentKind, string>> = {
  FEATURE: t`Delete this video?`,
  SHORT: t`Delete this short?`,
  EPISODE: t`Delete this episode?`,
  STREAM: t`Delete this stream?`,
  SERIES: t`Delete this series?`,
  SEASON: t`Delete this season?`,
  MINISERIES: t`Delete this miniseries?`,
};

const ICON_LINK = 'rounded-md px-1.5 py-0.5 text-muted hover:bg-raised hover:text-fore';

/** The frequent actions, which appear with the pointer or the focus. Narrow pages have them in the menu. */
export function RowLinks({ content, mayEdit }: { content: RowProperties['content']; mayEdit: boolean }) {
  const { id, shortCode, metadata } = content;
  const params = { _splat: contentTail(id) };
  return (
    <div
      className={
        'absolute top-0 -start-1.5 flex opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-xl:hidden'
      }
    >
      {mayEdit && (
        <Link to="/studio/content/$" params={params} className={ICON_LINK} {...named(t`Edit ${metadata.title}`)}>
          <Icon name="edit" className="size-4.5" />
        </Link>
      )}
      {isWatchable(content) && (
        <>
          <Link to="/w/$code" params={{ code: shortCode }} className={ICON_LINK} {...named(t`Watch ${metadata.title}`)}>
            <Icon name="play" className="size-4.5" />
          </Link>
          <Link
            to="/studio/analytics/video/$"
            params={params}
            className={ICON_LINK}
            {...named(t`Analytics of ${metadata.title}`)}
          >
            <Icon name="trending" className="size-4.5" />
          </Link>
        </>
      )}
    </div>
  );
}

/** What can be done about a video. */
export function RowMenu({ content, may, onChange, onDelete }: RowProperties) {
  const { id, shortCode, status, metadata } = content;
  const [deleting, setDeleting] = useState(false);
  const action = useAction();
  const params = { _splat: contentTail(id) };
  const close = async (): Promise<void> => onChange(await unpublish(content));
  return (
    <div className="flex items-center justify-end">
      {may.edit && (
        <Popover
          label={t`More actions for ${metadata.title}`}
          face={<Icon name="more" className="size-5" />}
          className={buttonClass('quiet', 'min-h-9 px-2')}
        >
          <Link to="/studio/content/$" params={params} className={POPOVER_ITEM}>
            <ItemFace icon="edit" text={t`Edit`} />
          </Link>
          {isWatchable(content) && (
            <Link to="/w/$code" params={{ code: shortCode }} className={POPOVER_ITEM}>
              <ItemFace icon="play" text={tc('verb', 'Watch')} />
            </Link>
          )}
          {isWatchable(content) && (
            <Link to="/studio/analytics/video/$" params={params} className={POPOVER_ITEM}>
              <ItemFace icon="trending" text={t`Analytics`} />
            </Link>
          )}
          {isOpenToOthers(content, Date.now()) && (
            <button type="button" className={POPOVER_ITEM} onClick={() => action.run('unpublish', close)}>
              <ItemFace icon="hidden" text={status === 'PUBLISHED' ? t`Unpublish` : t`Cancel publication`} />
            </button>
          )}
          {may.delete && (
            <button type="button" className={POPOVER_ITEM} onClick={() => setDeleting(true)}>
              <ItemFace icon="trash" text={t`Delete`} />
            </button>
          )}
        </Popover>
      )}
      {action.error !== null && <ErrorNotice error={action.error} />}
      <Confirm
        open={deleting}
        title={DELETE_QUESTIONS[content.kind]}
        confirmLabel={t`Delete`}
        onConfirm={async () => {
          await api(DeleteContent, { id });
          dropUploadsOf(id);
          onDelete(id);
        }}
        onClose={() => setDeleting(false)}
      >
        <p className="whitespace-normal">
          <Trans>
            <strong className="[overflow-wrap:anywhere]">{metadata.title}</strong> will be moved to the trash, and links
            to it stop working. You can restore it for 30 days.
          </Trans>
        </p>
      </Confirm>
    </div>
  );
}

const named = (name: string) => ({ 'aria-label': name, title: name });

function ItemFace({ icon, text }: { icon: IconName; text: string }) {
  return (
    <>
      <Icon name={icon} className="size-4.5 text-muted" /> {text}
    </>
  );
}
