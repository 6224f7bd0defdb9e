import { ShellIcon } from '../../ui/shell-icons.tsx';

interface Properties {
  readonly title: string;
  /** It may change all the time, so only the title is announced. */
  readonly text: string;
}

/** Something that is wrong with an encoder. */
export function Warning({ title, text }: Properties) {
  return (
    <div className="flex gap-3 rounded-xl bg-raised p-4">
      <ShellIcon name="warning" className="mt-0.5 size-5 shrink-0 text-accent-text" />
      <div className="min-w-0 space-y-1">
        <p role="status" className="font-semibold">
          {title}
        </p>
        <p dir="auto" className="text-muted [overflow-wrap:anywhere]">
          {text}
        </p>
      </div>
    </div>
  );
}
