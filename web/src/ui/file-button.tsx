import { useRef } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icons.tsx';

interface Properties {
  /** Accessible name of the file input. */
  readonly label: string;
  /** Label of the button. */
  readonly children: string;
  readonly accept?: string;
  readonly look?: 'primary' | 'plain';
  readonly busy?: boolean;
  readonly onFile: (file: File) => void;
}

/** A button that opens the file dialog. */
export function FileButton({ label, children, accept, look = 'plain', busy = false, onFile }: Properties) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span className="inline-flex">
      <Button look={look} busy={busy} onClick={() => input.current?.click()}>
        {!busy && <Icon name="upload" className="size-4" />} {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = ''; // the same file may be chosen again
          if (file) onFile(file);
        }}
      />
    </span>
  );
}
