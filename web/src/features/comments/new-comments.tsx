import { counted } from '../../lib/format.ts';
import { Icon } from '../../ui/icons.tsx';

/** A button that shows new comments. It sits in a row of the same height, so that nothing moves when it appears. */
export function NewComments({ count, onShow }: { count: number; onShow: () => void }) {
  const label = counted(count, 'new comment');
  return (
    <div role="status" className="ml-auto">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          aria-label={`Show ${label}`}
          className={
            'inline-flex min-h-9 items-center gap-1.5 rounded-full bg-accent px-3 text-sm font-semibold ' +
            'whitespace-nowrap text-on-accent tabular-nums hover:brightness-108'
          }
        >
          <Icon name="down" className="size-4" />
          <span>
            {count} new<span className="hidden sm:inline"> {count === 1 ? 'comment' : 'comments'}</span>
          </span>
        </button>
      )}
    </div>
  );
}
