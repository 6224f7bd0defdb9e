import { plural } from '../../lib/i18n.ts';
import { Icon } from '../../ui/icons.tsx';

/** A button that shows new comments. It sits in a row of the same height, so that nothing moves when it appears. */
export function NewComments({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div role="status" className="ml-auto">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          aria-label={plural(count, { one: 'Show # new comment', other: 'Show # new comments' })}
          className={
            'inline-flex min-h-9 items-center gap-1.5 rounded-full bg-accent px-3 text-sm font-semibold ' +
            'whitespace-nowrap text-on-accent tabular-nums hover:brightness-108'
          }
        >
          <Icon name="down" className="size-4" />
          <span className="sm:hidden">{plural(count, { one: '# new', other: '# new' })}</span>
          <span className="max-sm:hidden">{plural(count, { one: '# new comment', other: '# new comments' })}</span>
        </button>
      )}
    </div>
  );
}
