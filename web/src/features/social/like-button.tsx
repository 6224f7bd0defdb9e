import { LikeContent, UnlikeContent } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { shortCount } from '../../lib/format.ts';
import { plural, t, tc } from '../../lib/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useToggle } from './use-toggle.ts';

interface Properties {
  readonly id: string;
  readonly likes: { readonly count: number; readonly isLiked: boolean };
}

/** A like toggle with the number of likes. */
export function LikeButton({ id, likes }: Properties) {
  const { on, count, error, toggle } = useToggle({ on: likes.isLiked, count: likes.count }, async (next) => {
    const now = next ? (await api(LikeContent, { id })).likeContent : (await api(UnlikeContent, { id })).unlikeContent;
    return { on: now.likes.isLiked, count: now.likes.count };
  });
  return (
    <>
      <button
        type="button"
        aria-pressed={on}
        aria-label={t`Like, ${plural(count, { one: '# like', other: '# likes' }, shortCount(count))}`}
        onClick={toggle}
        className={buttonClass('plain')}
      >
        <Icon name="heart" filled={on} className={`size-5 ${on ? 'text-accent-text' : ''}`} />
        <span className="tabular-nums">{count > 0 ? shortCount(count) : tc('verb', 'Like')}</span>
      </button>
      {error !== null && (
        <div className="order-last basis-full">
          <ErrorNotice error={error} />
        </div>
      )}
    </>
  );
}
