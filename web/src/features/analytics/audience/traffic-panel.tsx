import type { ReactNode } from 'react';
import type { TrafficSource, TrafficSourcesFragment } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { percent } from '../../../lib/numbers.ts';
import { Panel } from '../../../ui/panel.tsx';
import { METRICS } from '../metrics/metrics.ts';

const SOURCES: Readonly<Record<TrafficSource, string>> = {
  HOME: t`Home page`,
  SEARCH: t`Search`,
  SUGGESTED: t`Suggested videos`,
  CHANNEL: t`Channel pages`,
  PLAYLIST: t`Playlists and series`,
  FOLLOWING: t`Following`,
  TRENDING: t`Trending`,
  SHORTS: t`Shorts`,
  OTHER: t`Other pages`,
  EMBED: t`Embedded players`,
  EXTERNAL: t`Links on other sites`,
  DIRECT: t`Direct or unknown`,
};

/** Where viewers came from; nothing without views. */
export function TrafficPanel({ sources }: { sources: readonly TrafficSourcesFragment[] }) {
  if (sources.length === 0) return null;
  return (
    <Panel title={t`Traffic sources`} hint={t`How viewers found the videos`}>
      <ul className="space-y-3">
        {sources.map(({ source, views, share }) => (
          <Bar key={source} name={SOURCES[source]} share={share}>
            {percent(share)} · {METRICS.VIEWS.describe(views)}
          </Bar>
        ))}
      </ul>
    </Panel>
  );
}

interface BarProperties {
  readonly name: string;
  /** Part of the whole width, 0 to 1. */
  readonly share: number;
  readonly children: ReactNode;
}

/** A named share as a bar with its numbers. */
export function Bar({ name, share, children }: BarProperties) {
  return (
    <li className="space-y-1.5">
      <p className="flex items-baseline justify-between gap-4 text-sm">
        <span className="min-w-0 truncate font-medium">{name}</span>
        <span className="shrink-0 text-muted tabular-nums">{children}</span>
      </p>
      <div className="h-1.5 overflow-hidden rounded-full bg-raised" aria-hidden="true">
        <div className="h-full rounded-full bg-sea" style={{ width: `${share * 100}%` }} />
      </div>
    </li>
  );
}
