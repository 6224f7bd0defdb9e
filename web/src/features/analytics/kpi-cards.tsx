import type { KpiFragment } from '../../gql/generated/operations.gen.ts';
import { percent, signed } from '../../lib/numbers.ts';

/** One metric of the overview. */
export interface KpiCard {
  readonly label: string;
  /** Null without data. */
  readonly kpi: KpiFragment | null;
  readonly format: (value: number) => string;
}

interface Properties {
  readonly cards: readonly KpiCard[];
  /** Label of the previous period. */
  readonly previous: string;
  /** What the metrics are about: `channel` or `video`. */
  readonly subject: string;
}

/** Key metrics, compared with the previous period. */
export function KpiCards({ cards, previous, subject }: Properties) {
  // Full rows: eight metrics are two rows of four, six are two of three.
  const columns = cards.length % 4 === 0 ? 'lg:grid-cols-4' : 'sm:grid-cols-3';
  const coverage = cards[0]?.kpi?.coverage.share ?? 1;
  return (
    <div className="space-y-3">
      <dl className={`grid grid-cols-2 gap-3 ${columns}`}>
        {cards.map(({ label, kpi, format }) => (
          <div key={label} className="min-w-0 space-y-1 rounded-2xl border border-line bg-surface p-4">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="text-2xl font-bold tracking-tight tabular-nums sm:text-3xl">
              {kpi ? format(kpi.value) : '–'}
            </dd>
            <dd className="text-sm">
              {kpi ? <Change kpi={kpi} format={format} /> : <span className="text-muted">No data for this period</span>}
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-muted">
        Compared with {previous}.
        {coverage < 0.995 &&
          ` Data covers ${percent(coverage)} of this period: the ${subject} is newer, or the period has not ended.`}
      </p>
    </div>
  );
}

function Change({ kpi, format }: { kpi: KpiFragment; format: (value: number) => string }) {
  const { deltaVsPrevious: change, deltaPct } = kpi;
  if (change === null) return <span className="text-muted">No data to compare with</span>;
  const colour = change === 0 ? 'text-muted' : change > 0 ? 'text-sea' : 'text-danger';
  return (
    <span className={`tabular-nums ${colour}`}>
      {signed(change, format)}
      {deltaPct !== null && change !== 0 && ` (${signed(deltaPct / 100, percent)})`}
    </span>
  );
}
