import { Link } from '@tanstack/react-router';
import type { CategoryNameFragment } from '../../gql/generated/operations.gen.ts';

const CHIP =
  'inline-flex min-h-9 items-center rounded-full border border-line bg-surface px-3.5 text-sm ' +
  'whitespace-nowrap hover:bg-raised aria-[current=page]:border-accent-text ' +
  'aria-[current=page]:font-semibold aria-[current=page]:text-accent-text';

/** Links to all categories. */
export function CategoryChips({ categories }: { categories: readonly CategoryNameFragment[] }) {
  if (categories.length === 0) return null;
  return (
    <nav aria-label="Categories">
      <ul className="flex flex-wrap gap-2">
        {categories.map(({ id, slug, name }) => (
          <li key={id}>
            <Link to="/category/$slug" params={{ slug }} className={CHIP}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
