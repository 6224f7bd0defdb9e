import { percent as percentText } from '../lib/numbers.ts';

/** A labelled progress bar from 0 to 100. */
export function Progress({ label, percent }: { label: string; percent: number }) {
  const shown = Math.min(100, Math.max(0, Math.round(percent)));
  return (
    <div className="space-y-1.5">
      <p className="flex justify-between gap-4 text-sm">
        <span>{label}</span>
        <span className="text-muted tabular-nums">{percentText(shown / 100)}</span>
      </p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={shown}
        className="h-1.5 overflow-hidden rounded-full bg-raised forced-colors:border"
      >
        <div
          className="h-full rounded-full bg-sea transition-[width] duration-500 forced-colors:bg-[Highlight]"
          style={{ width: `${shown}%` }}
        />
      </div>
    </div>
  );
}
