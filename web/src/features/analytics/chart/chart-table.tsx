import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import type { ChartPoint } from './chart-point.ts';

interface Properties {
  readonly label: string;
  readonly points: readonly ChartPoint[];
  readonly describe: (point: ChartPoint) => string;
  readonly columns: readonly [string, string];
}

/** All values of a chart as a collapsible table. */
export function ChartTable({ label, points, describe, columns }: Properties) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded-lg text-sm text-muted hover:text-fore">{t`Show as table`}</summary>
      {open && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: long tables are scrolled by keyboard
          tabIndex={0}
          aria-label={t`${label}, table`}
          className="mt-3 max-h-80 overflow-auto rounded-lg border border-line"
        >
          <table className="w-full text-sm">
            <thead className="sticky top-0 bg-raised text-muted">
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col" className="px-3 py-2 text-start font-medium">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {points.map((point) => (
                <tr key={point.key}>
                  <th scope="row" className="px-3 py-1.5 text-start font-normal">
                    {point.name}
                  </th>
                  <td className="px-3 py-1.5 tabular-nums">{describe(point)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
