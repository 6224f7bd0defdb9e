import { useId, useState } from 'react';
import { clockTime } from '../../lib/format.ts';
import { t, tc } from '../../lib/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { embedCode } from './embed-code.ts';

const ONE_LINE = 'h-10.5 overflow-x-auto whitespace-nowrap [scrollbar-width:none]';
const SEVERAL_LINES = 'font-mono text-xs break-all';

interface Properties {
  /** Path of the page. */
  readonly path: string;
  readonly title: string;
  /** The embeddable player; left out for videos that cannot be embedded. */
  readonly embed?: { readonly path: string; readonly aspect: number } | null;
}

/** The share button: link, start time for videos, and embed code. */
export function ShareButton({ path, title, embed = null }: Properties) {
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [fromHere, setFromHere] = useState(false);
  const start = fromHere && at > 0 ? `?t=${at}` : '';
  const show = (): void => {
    setAt(Math.floor(document.querySelector('video')?.currentTime ?? 0));
    setFromHere(false);
    setOpen(true);
  };
  return (
    <>
      <button type="button" className={buttonClass('plain')} onClick={show}>
        <Icon name="share" className="size-5" />
        {tc('verb', 'Share')}
      </button>
      <Dialog open={open} title={tc('verb', 'Share')} onClose={() => setOpen(false)}>
        <Copyable label={t`Link`} text={`${location.origin}${path}${start}`} copy={t`Copy link`} />
        {at > 0 && (
          <CheckField
            label={t`Start at ${clockTime(at)}`}
            checked={fromHere}
            onChange={(event) => setFromHere(event.currentTarget.checked)}
          />
        )}
        {embed && (
          <Copyable
            label={t`Embed code`}
            text={embedCode({ address: `${location.origin}${embed.path}${start}`, title, aspect: embed.aspect })}
            copy={t`Copy code`}
            lines={4}
          />
        )}
        <p className="text-end">
          <button type="button" className={buttonClass('quiet')} onClick={() => setOpen(false)}>{t`Close`}</button>
        </p>
      </Dialog>
    </>
  );
}

interface CopyableProperties {
  readonly label: string;
  readonly text: string;
  readonly copy: string;
  readonly lines?: number;
}

/** A text with a copy button; focusing it selects all. */
function Copyable({ label, text, copy, lines = 1 }: CopyableProperties) {
  const id = useId();
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-sm font-semibold">
        {label}
      </label>
      <div className="flex flex-col items-stretch gap-2 sm:flex-row sm:items-start">
        <textarea
          id={id}
          readOnly
          rows={lines}
          dir="ltr"
          value={text}
          onFocus={(event) => event.currentTarget.select()}
          className={
            'block min-w-0 grow resize-none rounded-lg border border-line-strong ' +
            `bg-ink px-3 py-2 text-fore ${lines > 1 ? SEVERAL_LINES : ONE_LINE}`
          }
        />
        <CopyButton text={text} label={copy} />
      </div>
    </div>
  );
}
