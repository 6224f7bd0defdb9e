import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import type { CaptionsEditorResult, StudioCaptionsFragment } from '../../../gql/generated/operations.gen.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { sameOriginUrl } from '../../../lib/url.ts';
import { Button } from '../../../ui/button.tsx';
import { ConflictDialog } from '../../../ui/conflict-dialog.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { DiscardDialog, EditBar } from '../form/edit-bar.tsx';
import { CaptionTimeline } from './caption-timeline.tsx';
import { readCaptionsFile } from './captions-file.ts';
import { problemsOf } from './cue-problems.ts';
import { type CueActions, CueRow } from './cue-row.tsx';
import { readCues, writeSrt, writeVtt } from './cue-text.ts';
import { changeCue, type EditedCue } from './cues.ts';
import { EditorToolbar } from './editor-toolbar.tsx';
import { saveFile } from './save-file.ts';
import { useCues } from './use-cues.ts';
import { useEditorVideo, useShownCue } from './use-editor-video.ts';
import { type NewCaptionsDraft, useSaveCaptions } from './use-save-captions.ts';
import { useWaveform } from './use-waveform.ts';

type Video = NonNullable<CaptionsEditorResult['content']>['assets']['videos']['edges'][number]['node'];

interface Properties {
  readonly contentId: string;
  readonly captions: StudioCaptionsFragment | NewCaptionsDraft;
  readonly loaded: readonly EditedCue[];
  readonly video: Video;
  readonly onSaved: (captions: StudioCaptionsFragment) => void;
  readonly onClose: () => void;
}

/** The editor of captions: video and cues beside each other, over the timeline. */
export function EditorDesk({ contentId, captions, loaded, video: source, onSaved, onClose }: Properties) {
  const [spoken, say] = useState('');
  const [leaving, setLeaving] = useState(false);
  const first = useRef(loaded);
  const durationMs = (source.duration ?? 0) * 1000;
  const url = useMemo(() => (source.playlistUrl ? sameOriginUrl(source.playlistUrl) : null), [source.playlistUrl]);
  const player = useEditorVideo(url);
  const editor = useCues(first.current, durationMs, say);
  const { cues, selected, select, change } = editor;
  const shown = useShownCue(player.video, cues);
  const waveform = useWaveform(contentId);
  const language = captions.id === null ? captions.input.language : captions.language;
  const { save, question } = useSaveCaptions({
    ...{ contentId, captions, loaded },
    onSaved: (saved, written) => {
      first.current = written;
      onSaved(saved);
    },
    onTaken: (theirs) => editor.replace(theirs, t`The saved text is shown.`),
  });
  const reading = useAction();
  const errors = cues.filter((cue, index) =>
    problemsOf(cue, cues[index + 1], durationMs).some(({ isError }) => isError),
  );
  const { seek } = player;
  // biome-ignore lint/correctness/useExhaustiveDependencies: seek reads a ref
  const actions = useMemo<CueActions>(
    () => ({
      select,
      play: seek,
      change: (id, changes, kind) => change((known) => changeCue(known, id, changes), kind),
    }),
    [select, change],
  );
  const focusText = useCallback((id: number | null): void => {
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-cue-text="${id}"]`)?.focus());
  }, []);
  const submit = (): void => {
    const wrong = errors[0];
    if (!wrong) {
      save.mutate(cues);
      return;
    }
    select(wrong.id);
    focusText(wrong.id);
    const number = cues.indexOf(wrong) + 1;
    say(t`Cue ${number} cannot be saved as it is.`);
  };
  const load = (file: File): void =>
    reading.run('read', async () => {
      const read = readCues(await readCaptionsFile(file));
      const count = read.length;
      const replaced = t`${file.name}: ${plural(count, {
        one: '# cue replaces the former ones.',
        other: '# cues replace the former ones.',
      })}`;
      editor.replace(read, replaced);
    });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    const act = {
      z: event.shiftKey ? editor.redo : editor.undo,
      y: editor.redo,
      s: submit,
      ' ': player.toggle,
      enter: () => focusText(editor.add(player.timeMs())),
    }[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <>
      <form
        className="space-y-4"
        aria-label={t`Editor of ${captions.label}`}
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <EditorToolbar
          isPlaying={player.isPlaying}
          hasSelection={selected !== null}
          canUndo={editor.canUndo}
          canRedo={editor.canRedo}
          onPlay={player.toggle}
          onAdd={() => focusText(editor.add(player.timeMs()))}
          onSplit={() => editor.split(player.timeMs())}
          onMerge={editor.merge}
          onRemove={() => editor.remove()}
          onUndo={editor.undo}
          onRedo={editor.redo}
          onImport={load}
          onExport={(format) => saveFile(`${language}.${format}`, format === 'vtt' ? writeVtt(cues) : writeSrt(cues))}
        />
        {reading.error !== null && <ErrorNotice error={reading.error} />}
        <div className="grid gap-4 md:grid-cols-2">
          <div ref={player.frame} className="relative self-start overflow-hidden rounded-lg bg-black">
            {/* biome-ignore lint/a11y/useMediaCaption: the edited captions are drawn over it */}
            <video
              ref={player.video}
              controls
              playsInline
              preload="metadata"
              aria-label={t`Video`}
              className="aspect-video w-full"
            />
            {shown && (
              <p className="pointer-events-none absolute inset-x-4 bottom-12 text-center">
                <span dir="auto" className="inline-block rounded bg-black/80 px-2 py-1 whitespace-pre-line text-white">
                  {shown.text.replaceAll(/<\/?[biu]>/g, '')}
                </span>
              </p>
            )}
          </div>
          <CueList {...{ cues, selected, shown, durationMs, actions }} />
        </div>
        <CaptionTimeline
          cues={cues}
          durationMs={durationMs}
          selected={selected}
          peaks={waveform.peaks}
          note={waveform.note}
          video={player.video}
          onSelect={select}
          onSeek={player.seek}
          onChange={(changed, kind) => change(() => changed, kind)}
          onRemove={editor.remove}
        />
        <p className="text-sm text-muted">{t`Arrow keys move the selected cue and its edges by 0.1 seconds, with Shift
        by 1 second; up and down select another one. Ctrl+Space plays, Ctrl+Enter adds a cue, Ctrl+Z undoes.`}</p>
        {save.error !== null && <ErrorNotice error={save.error} />}
        <EditBar
          busy={save.isPending}
          saved={save.data === true}
          isDirty={cues !== first.current}
          onDiscard={() => editor.replace(first.current, t`Changes discarded.`)}
        />
        <Button
          look="quiet"
          onClick={() => (cues === first.current ? onClose() : setLeaving(true))}
        >{t`Back to captions`}</Button>
        {leaving && <DiscardDialog onDiscard={onClose} onKeep={() => setLeaving(false)} />}
        <p role="status" className="sr-only">
          {spoken}
        </p>
      </form>
      <ConflictDialog question={question} />
    </>
  );
}

interface ListProperties {
  readonly cues: readonly EditedCue[];
  readonly selected: number | null;
  readonly shown: EditedCue | null;
  readonly durationMs: number;
  readonly actions: CueActions;
}

function CueList({ cues, selected, shown, durationMs, actions }: ListProperties) {
  if (cues.length === 0)
    return <p className="text-muted">{t`No cues yet. Play the video, and add a cue where someone speaks.`}</p>;
  return (
    <ol aria-label={t`Cues`} className="relative max-h-96 space-y-1 overflow-y-auto">
      {cues.map((cue, index) => (
        <CueRow
          key={cue.id}
          cue={cue}
          next={cues[index + 1]}
          number={index + 1}
          durationMs={durationMs}
          isSelected={cue.id === selected}
          isShown={cue === shown}
          actions={actions}
        />
      ))}
    </ol>
  );
}
