import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ErrorNotice } from '../../ui/notice.tsx';

interface Properties {
  readonly label: string;
  readonly note: string;
  readonly initial: boolean;
  readonly save: (on: boolean) => Promise<void>;
}

/** A list with a check mark, which changes at once, and back if it could not be saved. */
export function SaveChoice({ label, note, initial, save }: Properties) {
  const [isOn, setOn] = useState(initial);
  useEffect(() => setOn(initial), [initial]);
  const { mutate, isPending, error } = useMutation<void, unknown, boolean>({
    mutationFn: save,
    onError: (_, on) => setOn(!on),
  });
  const choose = (on: boolean): void => {
    if (isPending) return;
    setOn(on);
    mutate(on);
  };
  return (
    <>
      <label className="flex min-h-11 items-center gap-3 rounded-lg px-2 hover:bg-raised">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-accent"
          aria-label={label}
          checked={isOn}
          aria-busy={isPending}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
        <span dir="auto" className="min-w-0 grow [overflow-wrap:anywhere]">
          {label}
        </span>
        <span className="text-sm text-muted">{note}</span>
      </label>
      {error !== null && (
        <div className="py-2">
          <ErrorNotice error={error} />
        </div>
      )}
    </>
  );
}
