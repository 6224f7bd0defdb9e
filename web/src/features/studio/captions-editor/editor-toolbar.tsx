import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { FileButton } from '../../../ui/file-button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import type { CueEditor } from './use-cues.ts';
import type { EditorVideo } from './use-editor-video.ts';

interface Properties {
  readonly editor: CueEditor;
  readonly player: EditorVideo;
  readonly onAdd: () => void;
  readonly onImport: (file: File) => void;
  readonly onExport: (format: 'vtt' | 'srt') => void;
}

const LOOK = 'text-sm';

/** What can be done with the cues; each also has a key. */
export function EditorToolbar({ editor, player, onAdd, onImport, onExport }: Properties) {
  const hasSelection = editor.selected !== null;
  return (
    <div role="toolbar" aria-label={t`Captions`} className="flex flex-wrap items-center gap-1">
      <Button look="plain" className={LOOK} aria-keyshortcuts="Control+Space" onClick={player.toggle}>
        <Icon name={player.isPlaying ? 'pause' : 'play'} className="size-4" /> {player.isPlaying ? t`Pause` : t`Play`}
      </Button>
      <Button look="quiet" className={LOOK} aria-keyshortcuts="Control+Enter" onClick={onAdd}>
        <Icon name="plus" className="size-4" /> {t`Add cue`}
      </Button>
      <Button
        look="quiet"
        className={LOOK}
        disabled={!hasSelection}
        onClick={() => editor.split(player.timeMs())}
      >{t`Split`}</Button>
      <Button
        look="quiet"
        className={LOOK}
        disabled={!hasSelection}
        onClick={editor.merge}
      >{t`Merge with next`}</Button>
      <Button
        look="quiet"
        className={LOOK}
        disabled={!hasSelection}
        onClick={() => editor.remove()}
      >{t`Delete`}</Button>
      <Button
        look="quiet"
        className={LOOK}
        disabled={!editor.canUndo}
        aria-keyshortcuts="Control+Z"
        onClick={editor.undo}
      >{t`Undo`}</Button>
      <Button
        look="quiet"
        className={LOOK}
        disabled={!editor.canRedo}
        aria-keyshortcuts="Control+Shift+Z"
        onClick={editor.redo}
      >{t`Redo`}</Button>
      <span className="ms-auto flex flex-wrap items-center gap-1">
        <FileButton label={t`File with captions`} accept=".srt,.vtt,text/vtt" onFile={onImport}>{t`Import`}</FileButton>
        <Button look="quiet" className={LOOK} onClick={() => onExport('vtt')}>{t`Export VTT`}</Button>
        <Button look="quiet" className={LOOK} onClick={() => onExport('srt')}>{t`Export SRT`}</Button>
      </span>
    </div>
  );
}
