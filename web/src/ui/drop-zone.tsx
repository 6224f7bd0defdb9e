import { type DragEvent, type ReactNode, useState } from 'react';

interface Properties {
  readonly label: string;
  readonly className?: string;
  readonly onFile: (file: File) => void;
  /** Another way to select the file: not everyone can drag and drop. */
  readonly children: ReactNode;
}

/** A drop target for one file. */
export function DropZone({ label, className = '', onFile, children }: Properties) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  return (
    <section
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={
        'flex flex-col items-center gap-3 rounded-2xl border-2 border-dashed px-4 text-center transition-colors ' +
        `${over ? 'border-accent bg-raised' : 'border-line bg-surface'} ${className}`
      }
    >
      {children}
    </section>
  );
}
