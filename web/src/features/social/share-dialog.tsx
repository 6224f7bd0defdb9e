import { useId, useState } from 'react';
import { clockTime } from '../../lib/format.ts';
import { buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';

/** The button that shows the link of a page, for a video also from where it is. */
export function ShareButton({ path, title }: { path: string; title: string }) {
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [fromHere, setFromHere] = useState(false);
  const id = useId();
  const link = `${location.origin}${path}${fromHere && at > 0 ? `?t=${at}` : ''}`;
  const show = (): void => {
    setAt(Math.floor(document.querySelector('video')?.currentTime ?? 0));
    setFromHere(false);
    setOpen(true);
  };
  return (
    <>
      <button type="button" className={buttonClass('plain')} onClick={show}>
        <Icon name="share" className="size-5" />
        Share
      </button>
      <Dialog open={open} title="Share" onClose={() => setOpen(false)}>
        <TextField label={`Link to ${title}`} value={link} readOnly onFocus={(event) => event.currentTarget.select()} />
        {at > 0 && (
          <label htmlFor={id} className="flex min-h-10 items-center gap-3">
            <input
              id={id}
              type="checkbox"
              className="size-5 accent-accent"
              checked={fromHere}
              onChange={(event) => setFromHere(event.currentTarget.checked)}
            />
            Start at {clockTime(at)}
          </label>
        )}
        <p className="flex flex-wrap justify-end gap-3">
          <button type="button" className={buttonClass('quiet')} onClick={() => setOpen(false)}>
            Close
          </button>
          <CopyButton text={link} label="Copy link" />
        </p>
      </Dialog>
    </>
  );
}
