import { Link } from '@tanstack/react-router';
import type { SearchResult } from '../../gql/generated/operations.gen.ts';
import { channelPath, shortOf } from '../../lib/did.ts';
import { counted } from '../../lib/format.ts';
import { Avatar, pick } from '../../ui/picture.tsx';
import { Facts, Thumbnail } from '../browse/content-card.tsx';
import { ContentLink } from '../browse/content-link.tsx';
import { PlaylistCover } from '../playlist/playlist-card.tsx';

export type Hit = SearchResult['search']['edges'][number]['node'];

const WHOLE = 'after:absolute after:inset-0 after:rounded-xl group-hover:text-accent-text';

/** One thing that was found, with the words that were looked for marked. */
export function SearchHit({ hit }: { hit: Hit }) {
  if (hit.content) return <ContentHit content={hit.content} highlights={hit.highlights} />;
  if (hit.channel) return <ChannelHit channel={hit.channel} highlights={hit.highlights} />;
  if (hit.playlist) return <PlaylistHit playlist={hit.playlist} highlights={hit.highlights} />;
  return null; // it went away between finding and reading
}

function ContentHit({ content, highlights }: { content: NonNullable<Hit['content']>; highlights: Hit['highlights'] }) {
  return (
    <article className="group relative grid gap-x-5 gap-y-3 sm:grid-cols-[18rem_minmax(0,1fr)]">
      <Thumbnail content={content} sizes="(min-width: 40rem) 18rem, 92vw" />
      <div className="min-w-0 space-y-1.5">
        <h3 className="text-lg leading-snug font-semibold [overflow-wrap:anywhere]">
          <ContentLink content={content} className={WHOLE}>
            <Marked parts={highlights.title} />
          </ContentLink>
        </h3>
        <p className="text-sm text-muted">
          <Link to="/channel/$id" params={{ id: channelPath(content.channel.id) }} className="relative z-10 hover:text-fore">
            {content.channel.metadata.title}
          </Link>
          {' · '}
          <Facts content={content} />
        </p>
        <p className="line-clamp-2 max-w-prose text-muted [overflow-wrap:anywhere]">
          <Marked parts={highlights.summary} />
        </p>
      </div>
    </article>
  );
}

function ChannelHit({ channel, highlights }: { channel: NonNullable<Hit['channel']>; highlights: Hit['highlights'] }) {
  return (
    <article className="group relative grid items-center gap-x-5 gap-y-3 sm:grid-cols-[18rem_minmax(0,1fr)]">
      <Avatar
        image={pick(channel.assets.images, 'AVATAR')}
        name={highlights.title.map(({ text }) => text).join('')}
        className="size-24 justify-self-center text-3xl"
      />
      <div className="min-w-0 space-y-1.5">
        <h3 className="text-lg leading-snug font-semibold [overflow-wrap:anywhere]">
          <Link to="/channel/$id" params={{ id: channelPath(channel.id) }} className={WHOLE}>
            <Marked parts={highlights.title} />
          </Link>
        </h3>
        <p className="text-sm text-muted">
          Channel · @{channel.handle} · {counted(channel.followersCount, 'follower')}
        </p>
        <p className="line-clamp-2 max-w-prose text-muted [overflow-wrap:anywhere]">
          <Marked parts={highlights.summary} />
        </p>
      </div>
    </article>
  );
}

function PlaylistHit({ playlist, highlights }: { playlist: NonNullable<Hit['playlist']>; highlights: Hit['highlights'] }) {
  return (
    <article className="group relative grid gap-x-5 gap-y-3 sm:grid-cols-[18rem_minmax(0,1fr)]">
      <PlaylistCover playlist={playlist} sizes="(min-width: 40rem) 18rem, 92vw" />
      <div className="min-w-0 space-y-1.5">
        <h3 className="text-lg leading-snug font-semibold [overflow-wrap:anywhere]">
          <Link to="/playlist/$id" params={{ id: shortOf(playlist.id) }} className={WHOLE}>
            <Marked parts={highlights.title} />
          </Link>
        </h3>
        <p className="text-sm text-muted">Playlist · {playlist.channel.metadata.title}</p>
        <p className="line-clamp-2 max-w-prose text-muted [overflow-wrap:anywhere]">
          <Marked parts={highlights.summary} />
        </p>
      </div>
    </article>
  );
}

/** A text whose parts were or were not looked for; always text, never markup. */
function Marked({ parts }: { parts: Hit['highlights']['title'] }) {
  let at = 0;
  return parts.map(({ text, matched }) => {
    const key = at;
    at += text.length;
    return matched ? (
      <mark key={key} className="bg-transparent font-bold text-accent-text">
        {text}
      </mark>
    ) : (
      <span key={key}>{text}</span>
    );
  });
}
