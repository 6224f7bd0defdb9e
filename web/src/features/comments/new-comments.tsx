import { counted } from '../../lib/format.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { Icon } from '../../ui/icons.tsx';

/** A button that shows new comments. It sits in a row of the same height, so that nothing moves when it appears. */
export function NewComments({ count, onShow }: { count: number; onShow: () => void }) {
  const label = counted(count, t`new comment`);
  return (
    <div role="status" className="ml-auto">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          aria-label={t`Show ${label}`}
          className={
            'inline-flex min-h-9 items-center gap-1.5 rounded-full bg-accent px-3 text-sm font-semibold ' +
            'whitespace-nowrap text-on-accent tabular-nums hover:brightness-108'
          }
        >
          <Icon name="down" className="size-4" />
          <span>
            <Trans>
              {count} new<span className="hidden sm:inline"> {count === 1 ? 'comment' : 'comments'}</span>
            </Trans>
          </span>
        </button>
      )}
    </div>
  );
}
