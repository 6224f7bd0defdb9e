import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { readPreferences, savePreferences } from '../../player/preferences.ts';

/** Whether the next video plays by itself. */
export interface AutoplaySetting {
  readonly on: boolean;
  readonly choose: (on: boolean) => void;
}

/** The setting, which this browser remembers. */
export function useAutoplay(): AutoplaySetting {
  const [on, setOn] = useState(() => readPreferences().autoplay);
  const choose = (next: boolean): void => {
    savePreferences({ autoplay: next });
    setOn(next);
  };
  return { on, choose };
}

export function AutoplayField({ on, choose }: AutoplaySetting) {
  return (
    <label className="flex min-h-8 items-center gap-2.5 text-sm">
      <input
        type="checkbox"
        className="size-4.5 accent-accent"
        checked={on}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
      {t`Autoplay next video`}
    </label>
  );
}
