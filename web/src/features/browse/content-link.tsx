import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ContentKind } from '../../gql/generated/operations.gen.ts';
import { watchPath } from '../../lib/did.ts';

interface Properties {
  readonly content: { readonly id: string; readonly kind: ContentKind };
  /** Short id of the playlist it is played in. */
  readonly list?: string;
  readonly className?: string;
  readonly current?: boolean;
  readonly children: ReactNode;
}

/** A link to a content: series, seasons and miniseries have pages of their own, everything else is watched. */
export function ContentLink({ content, list, className = '', current = false, children }: Properties) {
  const path = watchPath(content.id);
  const mark = current ? ({ 'aria-current': 'true' } as const) : {};
  if (content.kind === 'SERIE' || content.kind === 'SEASON' || content.kind === 'MINISERIE') {
    return (
      <Link to="/series/$" params={{ _splat: path.replace(/^serie\//, '') }} className={className} {...mark}>
        {children}
      </Link>
    );
  }
  return (
    <Link to="/watch/$" params={{ _splat: path }} search={list ? { list } : {}} className={className} {...mark}>
      {children}
    </Link>
  );
}
