import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ImageFragment } from '../../gql/generated/operations.gen.ts';
import { ResponsiveImage } from '../../ui/image.tsx';

interface Properties {
  readonly image: ImageFragment | null;
  readonly title: string;
  /** Target of the card. */
  readonly link: Pick<LinkProps, 'to' | 'params'>;
  /** Status badge beside the title. */
  readonly badge?: ReactNode;
  /** A line of details. */
  readonly children: ReactNode;
}

/** A card for a series or playlist in the studio. */
export function StudioCard({ image, title, link, badge, children }: Properties) {
  return (
    <li className="group relative overflow-hidden card hover:bg-raised">
      <ResponsiveImage image={image} sizes="(min-width: 40rem) 26rem, 90vw" className="aspect-video w-full" />
      <div className="space-y-1 p-4">
        <div className="flex items-start justify-between gap-3">
          <h2 className="min-w-0 font-semibold [overflow-wrap:anywhere]">
            <Link {...link} className="after:absolute after:inset-0 after:rounded-2xl group-hover:text-accent-text">
              <bdi>{title}</bdi>
            </Link>
          </h2>
          {badge}
        </div>
        <p className="text-sm text-muted">{children}</p>
      </div>
    </li>
  );
}

/** A grid of such cards. */
export function StudioCards({ children }: { children: ReactNode }) {
  return <ul className="grid gap-4 sm:grid-cols-2 empty:hidden">{children}</ul>;
}
