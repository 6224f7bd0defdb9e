import type { ReactNode } from 'react';
import type { StudioTestFragment, TestedVariantFragment } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { percent } from '../../../lib/numbers.ts';
import { Button } from '../../../ui/button.tsx';
import { ResponsiveImage } from '../../../ui/image.tsx';
import { countsText, dateText, liftText } from './test-text.ts';

const DAY_MS = 86_400_000;

interface Properties {
  readonly test: StudioTestFragment;
  /** The running action: the id of the variant that is being applied. */
  readonly busy: string | null;
  readonly onApply: (variantId: string) => void;
}

/** What a test has measured so far, in words and bars. */
export function TestResult({ test, busy, onApply }: Properties) {
  const variants = test.variants.edges.map(({ node }) => node);
  const most = Math.max(...variants.map(({ clickThroughRate }) => clickThroughRate ?? 0));
  return (
    <div className="space-y-4">
      <p role="status">
        <span className="font-semibold">{test.explanation}</span> <span className="text-muted">{timeText(test)}</span>
      </p>
      <ul className="space-y-4">
        {variants.map((variant) => (
          <VariantRow
            key={variant.id}
            variant={variant}
            share={most === 0 ? 0 : (variant.clickThroughRate ?? 0) / most}
            won={test.winner?.id === variant.id}
            applied={test.applied?.id === variant.id}
            button={
              variant.label === 'A' && test.state === 'RUNNING' ? null : (
                <Button look="quiet" className="-ms-2.5" busy={busy === variant.id} onClick={() => onApply(variant.id)}>
                  {t`Use ${variant.label}`}
                </Button>
              )
            }
          />
        ))}
      </ul>
    </div>
  );
}

interface RowProperties {
  readonly variant: TestedVariantFragment;
  /** Its click-through rate in relation to the highest one, 0 to 1. */
  readonly share: number;
  readonly won: boolean;
  readonly applied: boolean;
  readonly button: ReactNode;
}

function VariantRow({ variant, share, won, applied, button }: RowProperties) {
  const { label, title, image, clickThroughRate, chanceToBeBest } = variant;
  const lift = liftText(variant);
  return (
    <li className="grid grid-cols-[6rem_minmax(0,1fr)] gap-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <ResponsiveImage image={image} sizes="10rem" className="aspect-video w-full rounded-lg" />
      <div className="min-w-0 space-y-1.5">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span dir="auto" className="font-semibold [overflow-wrap:anywhere]">
            {label}: {title}
          </span>
          {won && <span className="text-sm font-semibold text-sea">{t`Winner`}</span>}
          {applied && <span className="text-sm text-muted">{t`In use`}</span>}
        </p>
        <div className="flex items-center gap-3">
          <div className="h-1.5 grow overflow-hidden rounded-full bg-raised" aria-hidden="true">
            <div
              className={`h-full rounded-full ${won ? 'bg-accent' : 'bg-sea'}`}
              style={{ width: `${share * 100}%` }}
            />
          </div>
          <span className="shrink-0 font-semibold tabular-nums">
            {clickThroughRate === null ? t`No data` : percent(clickThroughRate)}
          </span>
        </div>
        <p className="text-sm text-muted">{countsText(variant)}</p>
        <p className="text-sm text-muted">
          {[lift, t`${percent(chanceToBeBest)} chance to be the best`].filter(Boolean).join(' · ')}
        </p>
        {button}
      </div>
    </li>
  );
}

/** `Day 3 of at most 14.`, or when it ended. */
function timeText({ state, startedAt, endedAt, maxDays }: StudioTestFragment): string {
  if (state !== 'RUNNING' && endedAt !== null) return t`Ended on ${dateText(endedAt)}.`;
  const day = Math.min(maxDays, Math.floor((Date.now() - Date.parse(startedAt)) / DAY_MS) + 1);
  return t`Day ${day} of at most ${maxDays}.`;
}
