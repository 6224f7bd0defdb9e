import { useMemo, useRef, useState } from 'react';
import type { CaptionsEditorResult, StudioCaptionsFragment } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { sameOriginUrl } from '../../../lib/url.ts';
import { ConflictDialog } from '../../../ui/conflict-dialog.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { EditBar } from '../form/edit-bar.tsx';
import { CaptionTimeline } from './caption-timeline.tsx';
import { CaptionedVideo } from './captioned-video.tsx';
import { CueList } from './cue-list.tsx';
import { writeSrt, writeVtt } from './cue-text.ts';
import type { EditedCue } from './cues.ts';
import { editorCommands } from './editor-commands.ts';
import { EditorToolbar } from './editor-toolbar.tsx';
import { LeaveButton } from './leave-button.tsx';
import { saveFile } from './save-file.ts';
import { useCues } from './use-cues.ts';
import { useEditorVideo, useShownCue } from './use-editor-video.ts';
import { useImport } from './use-import.ts';
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
  const first = useRef(loaded);
  const durationMs = (source.duration ?? 0) * 1000;
  const url = useMemo(() => (source.playlistUrl ? sameOriginUrl(source.playlistUrl) : null), [source.playlistUrl]);
  const player = useEditorVideo(url);
  const editor = useCues(first.current, durationMs, say);
  const { cues } = editor;
  const shown = useShownCue(player.video, cues);
  const waveform = useWaveform(contentId);
  const { save, question } = useSaveCaptions({
    ...{ contentId, captions, loaded },
    onSaved: (saved, written) => {
      first.current = written;
      onSaved(saved);
    },
    onTaken: (theirs) => editor.replace(theirs, t`The saved text is shown.`),
  });
  const files = useImport(editor);
  const isDirty = cues !== first.current;
  const { add, submit, onKeyDown } = editorCommands({ editor, player, durationMs, say, save: save.mutate });
  const exportAs = (format: 'vtt' | 'srt'): void =>
    saveFile(`${languageOf(captions)}.${format}`, format === 'vtt' ? writeVtt(cues) : writeSrt(cues));
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
        <EditorToolbar editor={editor} player={player} onAdd={add} onImport={files.load} onExport={exportAs} />
        {files.error !== null && <ErrorNotice error={files.error} />}
        <div className="grid gap-4 md:grid-cols-2">
          <CaptionedVideo player={player} shown={shown} />
          <CueList editor={editor} shown={shown} durationMs={durationMs} onPlay={player.seek} />
        </div>
        <CaptionTimeline editor={editor} durationMs={durationMs} waveform={waveform} player={player} />
        <p className="text-sm text-muted">{t`Arrow keys move the selected cue and its edges by 0.1 seconds, with Shift
        by 1 second; up and down select another one. Ctrl+Space plays, Ctrl+Enter adds a cue, Ctrl+Z undoes.`}</p>
        {save.error !== null && <ErrorNotice error={save.error} />}
        <EditBar
          busy={save.isPending}
          saved={save.data === true}
          isDirty={isDirty}
          onDiscard={() => editor.replace(first.current, t`Changes discarded.`)}
        />
        <LeaveButton isDirty={isDirty} onLeave={onClose} />
        <p role="status" className="sr-only">
          {spoken}
        </p>
      </form>
      <ConflictDialog question={question} />
    </>
  );
}

const languageOf = (captions: StudioCaptionsFragment | NewCaptionsDraft): string =>
  captions.id === null ? captions.input.language : captions.language;
