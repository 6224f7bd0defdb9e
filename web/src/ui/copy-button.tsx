import { useRef, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { Button } from './button.tsx';
import { Icon } from './icons.tsx';

interface Properties {
  /** The text, or what loads it and says why it cannot be loaded. */
  readonly text: string | (() => Promise<string>);
  readonly label: string;
}

/** Copies a text and announces it. Without clipboard access (plain HTTP on a LAN) it falls back to `execCommand`. */
export function CopyButton({ text, label }: Properties) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const copy = async (): Promise<void> => {
    await copyText(typeof text === 'string' ? text : text());
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 2000);
  };
  return (
    <Button onClick={() => void copy().catch(() => undefined)}>
      <Icon name={copied ? 'check' : 'copy'} className="size-4" />
      {label}
      <span role="status" className="sr-only">
        {copied ? t`Copied` : ''}
      </span>
    </Button>
  );
}

async function copyText(text: string | Promise<string>): Promise<void> {
  try {
    if (typeof text === 'string') return await navigator.clipboard.writeText(text);
    const blob = (loaded: string): Blob => new Blob([loaded], { type: 'text/plain' });
    // At once: Safari forgets that this is a click while the text is loaded.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text.then(blob) })]);
  } catch {
    copyBySelection(await text);
  }
}

function copyBySelection(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
