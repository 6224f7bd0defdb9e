import { Link } from '@tanstack/react-router';
import type { CategoryNameFragment } from '../../gql/generated/operations.gen.ts';
import { t } from '../../lib/i18n.ts';

const CHIP =
  'inline-flex min-h-9 items-center rounded-full border border-line bg-surface px-3.5 text-sm ' +
  'whitespace-nowrap hover:bg-raised aria-[current=page]:border-accent-text ' +
  'aria-[current=page]:font-semibold aria-[current=page]:text-accent-text';

/** Links to all categories, in a row that scrolls. */
export function CategoryChips({ categories }: { categories: readonly CategoryNameFragment[] }) {
  if (categories.length === 0) return null;
  return (
    <nav aria-label={t`Categories`}>
      <ul className="-mx-4 flex gap-2 overflow-x-auto px-4 pb-2 sm:-mx-6 sm:px-6">
        {categories.map((category) => (
          <li key={category.id} className="shrink-0">
            <Link to="/category/$slug" params={{ slug: category.slug }} className={CHIP}>
              {category.name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
