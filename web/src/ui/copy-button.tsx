import { useRef, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { Button } from './button.tsx';
import { Icon } from './icons.tsx';

/** Copies a text and announces it. Without clipboard access (plain HTTP on a LAN) it falls back to `execCommand`. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const copy = async (): Promise<void> => {
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else copyBySelection(text);
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 2000);
  };
  return (
    <Button onClick={() => void copy().catch(() => copyBySelection(text))}>
      <Icon name={copied ? 'check' : 'copy'} className="size-4" />
      {label}
      <span role="status" className="sr-only">
        {copied ? t`Copied` : ''}
      </span>
    </Button>
  );
}

function copyBySelection(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
