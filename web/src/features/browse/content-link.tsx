import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ContentKind } from '../../gql/generated/operations.gen.ts';
import { didSuffix, seriesTail } from '../../lib/did.ts';
import { isPlayedKind } from '../queue/queue.ts';

interface Properties {
  readonly content: { readonly id: string; readonly kind: ContentKind; readonly shortCode: string };
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * A link to a content: series, seasons and miniseries have their own pages, shorts are in their feed, and all others
 * open the watch page.
 */
export function ContentLink({ content, className = '', children }: Properties) {
  if (!isPlayedKind(content)) {
    return (
      <Link to="/series/$" params={{ _splat: seriesTail(content.id) }} className={className}>
        {children}
      </Link>
    );
  }
  if (content.kind === 'SHORT') {
    return (
      <Link to="/shorts" search={{ v: didSuffix(content.id) }} className={className}>
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
