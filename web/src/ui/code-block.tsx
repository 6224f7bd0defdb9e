import { CopyButton } from './copy-button.tsx';

/** A command to paste, with a button that copies it. */
export function CodeBlock({
  code,
  label,
  copy,
}: {
  code: string;
  label: string;
  /** Label of the button: "Copy command". */
  copy: string;
}) {
  return (
    <div className="space-y-3">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long commands are scrolled by keyboard
        tabIndex={0}
        dir="ltr"
        aria-label={label}
        className="overflow-x-auto rounded-lg border border-line bg-ink p-4 font-mono text-sm leading-relaxed"
      >
        <pre>
          <code>{code}</code>
        </pre>
      </section>
      <CopyButton text={code} label={copy} />
    </div>
  );
}
