import { counted } from '../../lib/format.ts';
import { Icon } from '../../ui/icons.tsx';

/** Says how many comments came and shows them when it is pressed; it has its place in a row that is as high without it, so that nothing moves. */
export function NewComments({ count, onShow }: { count: number; onShow: () => void }) {
  const said = counted(count, 'new comment');
  return (
    <div role="status" className="ml-auto">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          aria-label={`Show ${said}`}
          className="inline-flex min-h-9 items-center gap-1.5 rounded-full bg-accent px-3 text-sm font-semibold whitespace-nowrap text-on-accent tabular-nums hover:brightness-108"
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
