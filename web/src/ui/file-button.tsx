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
export function FileButton({ onFile, ...rest }: Properties) {
  return <FilesButton {...rest} multiple={false} onFiles={([file]) => file && onFile(file)} />;
}

interface FilesProperties extends Omit<Properties, 'onFile'> {
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The same for several files. */
export function FilesButton(properties: FilesProperties) {
  const { label, children, accept, look = 'plain', busy = false, multiple = true, onFiles } = properties;
  const input = useRef<HTMLInputElement>(null);
  return (
    <span className="inline-flex">
      <Button look={look} busy={busy} onClick={() => input.current?.click()}>
        {!busy && <Icon name="upload" className="size-4" />} {children}
      </Button>
      <input
        ref={input}
        type="file"
        multiple={multiple}
        accept={accept}
        aria-label={label}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = ''; // the same file may be chosen again
          if (files.length > 0) onFiles(files);
        }}
      />
    </span>
  );
}
