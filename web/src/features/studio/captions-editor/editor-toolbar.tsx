import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { FileButton } from '../../../ui/file-button.tsx';
import { Icon } from '../../../ui/icons.tsx';

export interface ToolbarProperties {
  readonly isPlaying: boolean;
  readonly hasSelection: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly onPlay: () => void;
  readonly onAdd: () => void;
  readonly onSplit: () => void;
  readonly onMerge: () => void;
  readonly onRemove: () => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onImport: (file: File) => void;
  readonly onExport: (format: 'vtt' | 'srt') => void;
}

const LOOK = 'text-sm';

/** What can be done with the cues; each also has a key. */
export function EditorToolbar(properties: ToolbarProperties) {
  const { isPlaying, hasSelection, canUndo, canRedo, onImport, onExport } = properties;
  return (
    <div role="toolbar" aria-label={t`Captions`} className="flex flex-wrap items-center gap-1">
      <Button look="plain" className={LOOK} aria-keyshortcuts="Control+Space" onClick={properties.onPlay}>
        <Icon name={isPlaying ? 'pause' : 'play'} className="size-4" /> {isPlaying ? t`Pause` : t`Play`}
      </Button>
      <Button look="quiet" className={LOOK} aria-keyshortcuts="Control+Enter" onClick={properties.onAdd}>
        <Icon name="plus" className="size-4" /> {t`Add cue`}
      </Button>
      <Button look="quiet" className={LOOK} disabled={!hasSelection} onClick={properties.onSplit}>{t`Split`}</Button>
      <Button
        look="quiet"
        className={LOOK}
        disabled={!hasSelection}
        onClick={properties.onMerge}
      >{t`Merge with next`}</Button>
      <Button look="quiet" className={LOOK} disabled={!hasSelection} onClick={properties.onRemove}>{t`Delete`}</Button>
      <Button
        look="quiet"
        className={LOOK}
        disabled={!canUndo}
        aria-keyshortcuts="Control+Z"
        onClick={properties.onUndo}
      >{t`Undo`}</Button>
      <Button
        look="quiet"
        className={LOOK}
        disabled={!canRedo}
        aria-keyshortcuts="Control+Shift+Z"
        onClick={properties.onRedo}
      >{t`Redo`}</Button>
      <span className="ms-auto flex flex-wrap items-center gap-1">
        <FileButton label={t`File with captions`} accept=".srt,.vtt,text/vtt" onFile={onImport}>{t`Import`}</FileButton>
        <Button look="quiet" className={LOOK} onClick={() => onExport('vtt')}>{t`Export VTT`}</Button>
        <Button look="quiet" className={LOOK} onClick={() => onExport('srt')}>{t`Export SRT`}</Button>
      </span>
    </div>
  );
}
