import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { Transcript, type TranscriptResult } from '../../gql/generated/operations.gen.ts';
import { unreachable } from '../../lib/api.ts';
import { clockTime, spokenTime } from '../../lib/format.ts';
import { plural, t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { sameOriginUrl } from '../../lib/url.ts';
import { buttonClass, Spinner } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useNowPlaying } from './now-playing.ts';
import { type Cue, cueAt, findCues, parseTranscript } from './transcript.ts';

type Track = NonNullable<TranscriptResult['content']>['captions']['edges'][number]['node'];

interface Properties {
  readonly contentId: string;
  readonly onClose: () => void;
}

/** The captions of a video as text: searchable, with the line that is spoken marked; a line seeks the video. */
export function TranscriptPanel({ contentId, onClose }: Properties) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { data, error } = useQuery(operationQuery(Transcript, { id: contentId }));
  const tracks = data?.content?.captions.edges.map(({ node }) => node).filter(isReadable) ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const track = tracks.find((each) => each.id === chosen) ?? preferredTrack(tracks);
  return (
    <section aria-labelledby={id} className="space-y-3 rounded-2xl bg-surface p-4">
      <div className="flex items-center gap-3">
        <h2 ref={heading} id={id} tabIndex={-1} className="me-auto text-lg font-semibold">{t`Transcript`}</h2>
        {tracks.length > 1 && (
          <select
            aria-label={t`Language of the transcript`}
            value={track?.id}
            onChange={(event) => setChosen(event.currentTarget.value)}
            className="min-h-9 max-w-40 rounded-lg border border-line-strong bg-ink px-2 text-sm"
          >
            {tracks.map((each) => (
              <option key={each.id} value={each.id}>
                {each.label}
              </option>
            ))}
          </select>
        )}
        <button
          type="button"
          aria-label={t`Close the transcript`}
          title={t`Close the transcript`}
          className={buttonClass('quiet')}
          onClick={onClose}
        >
          <Icon name="close" className="size-5" />
        </button>
      </div>
      {error !== null && <ErrorNotice error={error} />}
      {data && !track && <p className="text-muted">{t`The transcript is not ready yet. Check back soon.`}</p>}
      {track && <Lines key={track.id} track={track} />}
    </section>
  );
}

const isReadable = ({ vtt, kind, isForced }: Track): boolean => vtt !== null && !isForced && kind !== 'DESCRIPTIONS';

/** In a language of the browser, otherwise the default one. */
function preferredTrack(tracks: readonly Track[]): Track | undefined {
  const primary = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? '';
  const known = navigator.languages.map(primary);
  const spoken = known.flatMap((language) => tracks.filter((track) => primary(track.language) === language));
  return spoken[0] ?? tracks.find(({ isDefault }) => isDefault) ?? tracks[0];
}

async function loadCues(url: string): Promise<readonly Cue[]> {
  const response = await fetch(sameOriginUrl(url)).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw unreachable();
  return parseTranscript(await response.text());
}

function Lines({ track }: { track: Track }) {
  const { data: cues, error } = useQuery({
    queryKey: ['transcript', track.id],
    queryFn: () => loadCues(track.vtt ?? ''),
  });
  const [query, setQuery] = useState('');
  if (error !== null) return <ErrorNotice error={error} />;
  if (!cues) {
    return (
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner />
        {t`Loading transcript…`}
      </p>
    );
  }
  const found = findCues(cues, query);
  const lines = found.length;
  return (
    <>
      <input
        type="search"
        aria-label={t`Search in the transcript`}
        placeholder={t`Search in the transcript`}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        className="w-full rounded-lg border border-line-strong bg-ink px-3 py-2 placeholder:text-muted"
      />
      <p role="status" className={query.trim() ? 'text-sm text-muted' : 'sr-only'}>
        {query.trim() && plural(lines, { one: '# line found', other: '# lines found' })}
      </p>
      <CueList cues={cues} shown={found} language={track.language} />
    </>
  );
}

interface ListProperties {
  readonly cues: readonly Cue[];
  /** Indices of the cues to list. */
  readonly shown: readonly number[];
  readonly language: string;
}

/** Follows the video, except while the pointer or the focus is in the list. */
function CueList({ cues, shown, language }: ListProperties) {
  const { player } = useNowPlaying();
  const current = useSyncExternalStore(player?.subscribe ?? nothing, () =>
    player ? cueAt(cues, player.state().time) : -1,
  );
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const line = list.current?.querySelector<HTMLElement>(`[data-cue="${current}"]`);
    if (!list.current || !line || list.current.matches(':hover, :focus-within')) return;
    list.current.scrollTop = line.offsetTop - list.current.offsetTop - list.current.clientHeight / 3;
  }, [current]);
  return (
    <ol ref={list} className="max-h-80 overflow-y-auto lg:max-h-[26rem]">
      {shown.map((index) => {
        const cue = cues[index];
        return (
          cue && (
            <li key={index} data-cue={index}>
              <button
                type="button"
                aria-current={index === current ? 'true' : undefined}
                disabled={!player}
                onClick={() => player?.seek(cue.startSeconds)}
                className={
                  'flex w-full items-baseline gap-3 rounded-lg px-2 py-1.5 text-start text-[0.95rem] ' +
                  'hover:bg-raised aria-[current]:bg-raised aria-[current]:font-semibold'
                }
              >
                <span className="shrink-0 text-sm text-accent-text tabular-nums" aria-hidden="true">
                  {clockTime(cue.startSeconds)}
                </span>
                <span className="sr-only">{t`At ${spokenTime(cue.startSeconds)}:`} </span>
                <span dir="auto" lang={language} className="min-w-0 [overflow-wrap:anywhere]">
                  {cue.text}
                </span>
              </button>
            </li>
          )
        );
      })}
    </ol>
  );
}

const nothing = () => () => undefined;
