import { useState } from 'react';
import type { SharesFragment } from '../../gql/generated/operations.gen.ts';
import { count, countryName, minutes, percent } from '../../lib/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';

type Share = SharesFragment['countries'][number];

const DEVICES: Readonly<Record<string, string>> = {
  DESKTOP: 'Computers',
  MOBILE: 'Phones',
  TABLET: 'Tablets',
  TV: 'Televisions',
  OTHER: 'Other devices',
};

/** Countries and devices of the audience. */
export function Audience({ audience }: { audience: SharesFragment }) {
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Panel title="Countries">
        <ShareBars shares={audience.countries} name={countryName} />
      </Panel>
      <Panel title="Devices">
        <ShareBars shares={audience.devices} name={(key) => DEVICES[key] ?? key} />
      </Panel>
    </div>
  );
}

const FEW = 6;

function ShareBars({ shares, name }: { shares: readonly Share[]; name: (key: string) => string }) {
  const [all, setAll] = useState(false);
  if (shares.length === 0) return <p className="text-muted">No data for this period.</p>;
  const most = Math.max(...shares.map(({ share }) => share ?? 0));
  return (
    <>
      <ul className="space-y-3">
        {shares.slice(0, all ? undefined : FEW).map(({ key, views, share, watchMinutes }) => (
          <li key={key} className="space-y-1.5">
            <p className="flex items-baseline justify-between gap-4 text-sm">
              <span className="min-w-0 truncate font-medium">{name(key)}</span>
              <span className="shrink-0 text-muted tabular-nums">
                {share !== null && percent(share)} · {count(views)} {views === 1 ? 'view' : 'views'} ·{' '}
                {minutes(watchMinutes)}
              </span>
            </p>
            <div className="h-1.5 overflow-hidden rounded-full bg-raised" aria-hidden="true">
              <div
                className="h-full rounded-full bg-sea"
                style={{ width: `${most === 0 ? 0 : ((share ?? 0) / most) * 100}%` }}
              />
            </div>
          </li>
        ))}
      </ul>
      {!all && shares.length > FEW && (
        <Button look="quiet" className="-ml-2.5 text-sm" onClick={() => setAll(true)}>
          Show all {shares.length}
        </Button>
      )}
    </>
  );
}
