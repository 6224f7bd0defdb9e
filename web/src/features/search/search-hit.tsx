import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SearchResult } from '../../gql/generated/operations.gen.ts';
import { didSuffix } from '../../lib/did.ts';
import { followerCountText } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Avatar, pickImage } from '../../ui/image.tsx';
import { Facts, Thumbnail } from '../browse/content-card.tsx';
import { ContentLink } from '../browse/content-link.tsx';
import { PlaylistCover } from '../playlist/playlist-card.tsx';

export type Hit = SearchResult['search']['edges'][number]['node'];

const SIZES = '(min-width: 40rem) 18rem, 92vw';
const WHOLE = 'after:absolute after:inset-0 after:rounded-xl group-hover:text-accent-text';

/** A search result with highlighted terms. */
export function SearchHit({ hit }: { hit: Hit }) {
  if (hit.content) return <ContentHit content={hit.content} highlights={hit.highlights} />;
  if (hit.channel) return <ChannelHit channel={hit.channel} highlights={hit.highlights} />;
  if (hit.playlist) return <PlaylistHit playlist={hit.playlist} highlights={hit.highlights} />;
  return null; // deleted between search and read
}

type Highlights = Hit['highlights'];

function ContentHit({ content, highlights }: { content: NonNullable<Hit['content']>; highlights: Highlights }) {
  return (
    <Frame
      image={<Thumbnail content={content} sizes={SIZES} />}
      title={
        <ContentLink content={content} className={WHOLE}>
          {/* Matches are those in the title of the content, of which a test may show another one. */}
          {content.card.title === content.metadata.title ? <Marked parts={highlights.title} /> : content.card.title}
        </ContentLink>
      }
      summary={highlights.summary}
    >
      <Link to="/@{$handle}" params={{ handle: content.channel.handle }} className="relative z-10 hover:text-fore">
        <bdi>{content.channel.metadata.title}</bdi>
      </Link>
      {' · '}
      <Facts content={content} />
    </Frame>
  );
}

function ChannelHit({ channel, highlights }: { channel: NonNullable<Hit['channel']>; highlights: Highlights }) {
  const name = highlights.title.map(({ text }) => text).join('');
  return (
    <Frame
      image={
        <Avatar
          image={pickImage(channel.assets.images, 'AVATAR')}
          name={name}
          className="size-24 justify-self-center text-3xl"
        />
      }
      title={
        <Link to="/@{$handle}" params={{ handle: channel.handle }} className={WHOLE}>
          <Marked parts={highlights.title} />
        </Link>
      }
      summary={highlights.summary}
    >
      {[t`Channel`, `@${channel.handle}`, followerCountText(channel.followersCount)].join(' · ')}
    </Frame>
  );
}

function PlaylistHit({ playlist, highlights }: { playlist: NonNullable<Hit['playlist']>; highlights: Highlights }) {
  return (
    <Frame
      image={<PlaylistCover playlist={playlist} sizes={SIZES} />}
      title={
        <Link to="/playlist/$id" params={{ id: didSuffix(playlist.id) }} className={WHOLE}>
          <Marked parts={highlights.title} />
        </Link>
      }
      summary={highlights.summary}
    >
      {t`Playlist`} · <bdi>{playlist.channel.metadata.title}</bdi>
    </Frame>
  );
}

interface FrameProperties {
  readonly image: ReactNode;
  /** The title link, which covers the whole result. */
  readonly title: ReactNode;
  readonly summary: Highlights['summary'];
  /** Type and channel. */
  readonly children: ReactNode;
}

/** The layout of a search result. */
function Frame({ image, title, summary, children }: FrameProperties) {
  return (
    <article className="group relative grid items-center gap-x-5 gap-y-3 sm:grid-cols-[18rem_minmax(0,1fr)]">
      {image}
      <div className="min-w-0 space-y-1.5">
        <h2 className="text-lg leading-snug font-semibold [overflow-wrap:anywhere]">
          <bdi>{title}</bdi>
        </h2>
        <p className="text-sm text-muted">{children}</p>
        <p dir="auto" className="line-clamp-2 max-w-prose text-muted [overflow-wrap:anywhere]">
          <Marked parts={summary} />
        </p>
      </div>
    </article>
  );
}

/** Text with highlighted matches; always text, never markup. */
function Marked({ parts }: { parts: Highlights['title'] }) {
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
