import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ContentKind } from '../../gql/generated/operations.gen.ts';
import { contentTail } from '../../lib/did.ts';

interface Properties {
  readonly content: { readonly id: string; readonly kind: ContentKind; readonly shortCode: string };
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link to a content: series, seasons and miniseries have their own pages, all others open the watch page. */
export function ContentLink({ content, className = '', children }: Properties) {
  if (content.kind === 'SERIE' || content.kind === 'SEASON' || content.kind === 'MINISERIE') {
    return (
      <Link to="/series/$" params={{ _splat: contentTail(content.id).replace(/^serie\//, '') }} className={className}>
        {children}
      </Link>
    );
  }
  return (
    <Link to="/w/$code" params={{ code: content.shortCode }} className={className}>
      {children}
    </Link>
  );
}
