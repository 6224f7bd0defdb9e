import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ContentKind } from '../../gql/generated/operations.gen.ts';
import { watchPath } from '../../lib/did.ts';

interface Properties {
  readonly content: { readonly id: string; readonly kind: ContentKind };
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link to a content: series, seasons and miniseries have their own pages, all others open the watch page. */
export function ContentLink({ content, className = '', children }: Properties) {
  const path = watchPath(content.id);
  if (content.kind === 'SERIE' || content.kind === 'SEASON' || content.kind === 'MINISERIE') {
    return (
      <Link to="/series/$" params={{ _splat: path.replace(/^serie\//, '') }} className={className}>
        {children}
      </Link>
    );
  }
  return (
    <Link to="/watch/$" params={{ _splat: path }} className={className}>
      {children}
    </Link>
  );
}
