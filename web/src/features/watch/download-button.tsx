import { useEffect, useState } from 'react';
import { byteSize } from '../../lib/format.ts';
import { t, tc } from '../../lib/i18n.ts';
import { sameOriginUrl } from '../../lib/url.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { POPOVER_ITEM, Popover } from '../../ui/popover.tsx';
import type { Watched } from './now-playing.ts';

/** The download menu with file sizes; renders nothing without downloads. */
export function DownloadButton({ outputs }: { outputs: Watched['outputAssets'] }) {
  const files = [
    { name: t`Video, MP4`, url: outputs?.video.download },
    { name: t`Audio only, M4A`, url: outputs?.audio.download },
  ].flatMap(({ name, url }) => (url ? [{ name, url: sameOriginUrl(url) }] : []));
  if (files.length === 0) return null;
  return (
    <Popover
      label={tc('verb', 'Download')}
      align="start"
      className={buttonClass('plain')}
      face={
        <>
          <Icon name="download" className="size-5" />
          {tc('verb', 'Download')}
        </>
      }
    >
      {files.map(({ name, url }) => (
        <a key={name} href={url} download className={POPOVER_ITEM}>
          <span className="grow">{name}</span>
          <Size url={url} />
        </a>
      ))}
    </Popover>
  );
}

/** The size of a file, requested when the menu is opened. */
function Size({ url }: { url: string }) {
  const [bytes, setBytes] = useState<number | null>(null);
  useEffect(() => {
    const closing = new AbortController();
    fetch(url, { method: 'HEAD', signal: closing.signal })
      .then(({ ok, headers }) => ok && setBytes(Number(headers.get('content-length')) || null))
      .catch(() => undefined); // the size is optional
    return () => closing.abort();
  }, [url]);
  return (
    <span className="min-w-16 text-end text-sm text-muted tabular-nums">{bytes === null ? '' : byteSize(bytes)}</span>
  );
}
