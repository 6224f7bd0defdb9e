import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { parseText } from '../lib/text-tokens.ts';

const LINK = 'text-accent-text underline underline-offset-3';
const MENTION = 'font-semibold text-accent-text hover:underline';

interface Properties {
  readonly text: string;
  /** Names that are mentions, with the id of their channel; left out where it is not known which exist. */
  readonly mentions?: ReadonlyMap<string, string>;
  /** What timestamps do: they seek the video of the page, or lead to the one with this path. None: they are text. */
  readonly times?: 'SEEK' | { readonly watch: string };
}

/** A text that users wrote, with links, mentions and timestamps. Nothing else of it is markup. */
export function LinkedText({ text, mentions, times }: Properties) {
  let at = 0;
  return parseText(text, mentions ? [...mentions.keys()] : 'ANY').map((token): ReactNode => {
    const key = at;
    at += token.text.length;
    if (token.kind === 'link') {
      return (
        <a key={key} href={token.href} rel="nofollow ugc noopener" target="_blank" className={LINK}>
          {token.text}
        </a>
      );
    }
    if (token.kind === 'time') {
      if (times === undefined) return token.text;
      if (times !== 'SEEK') {
        return (
          <Link key={key} to="/watch/$" params={{ _splat: times.watch }} search={{ t: token.seconds }} className={LINK}>
            {token.text}
          </Link>
        );
      }
      return (
        <button
          key={key}
          type="button"
          className={LINK}
          aria-label={t`${token.text}, go to this time`}
          onClick={() => goTo(token.seconds)}
        >
          {token.text}
        </button>
      );
    }
    if (token.kind === 'mention') {
      const name = token.text.slice(1);
      return mentions ? (
        <Link key={key} to="/channel/$id" params={{ id: mentions.get(name.toLowerCase()) ?? '' }} className={MENTION}>
          {token.text}
        </Link>
      ) : (
        <Link key={key} to="/@{$handle}" params={{ handle: name }} className={MENTION}>
          {token.text}
        </Link>
      );
    }
    return token.text;
  });
}

/** Seeks the video of the page. */
function goTo(seconds: number): void {
  const video = document.querySelector('video');
  if (!video) return;
  video.currentTime = seconds;
  video.closest('section')?.scrollIntoView({ block: 'start', behavior: 'smooth' });
}
