import { lazy, Suspense, useState } from 'react';
import {
  type CaptionsKind,
  DeleteCaptions,
  type StudioCaptionsFragment,
  UpdateCaptions,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { useRestoreFocus } from '../../../lib/hooks/use-restore-focus.ts';
import { useRowFocus } from '../../../lib/hooks/use-row-focus.ts';
import { t } from '../../../lib/i18n.ts';
import { sameOriginUrl } from '../../../lib/url.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import type { NewCaptionsDraft } from '../captions-editor/use-save-captions.ts';
import type { EditedContent } from '../content/details-form.tsx';
import { languageName } from '../content/languages.ts';
import { AutomaticCaptions } from './automatic-captions.tsx';
import { NewCaptions } from './new-captions.tsx';

const CaptionsEditor = lazy(async () => ({
  default: (await import('../captions-editor/captions-editor.tsx')).CaptionsEditor,
}));

/** The captions of a video: list, edit, add. */
export function CaptionsPanel({ content, ready }: { content: EditedContent; ready: boolean }) {
  const [captions, setCaptions] = useState<readonly StudioCaptionsFragment[]>(
    content.captions.edges.map(({ node }) => node),
  );
  const rows = useRowFocus<HTMLUListElement>();
  const [editing, setEditing] = useState<string | null>(null);
  const [draft, setDraft] = useState<NewCaptionsDraft | null>(null);
  const edited = draft ?? captions.find(({ id }) => id === editing);
  const list = useRestoreFocus<HTMLDivElement>(edited !== undefined);
  // Only one can be the default, and only one in a language forced: setting another one unsets it.
  const settle = (
    changed: StudioCaptionsFragment,
    known: readonly StudioCaptionsFragment[],
  ): readonly StudioCaptionsFragment[] =>
    known.map((each) => {
      if (each.id === changed.id) return changed;
      return {
        ...each,
        isDefault: each.isDefault && !changed.isDefault,
        isForced: each.isForced && !(changed.isForced && each.language === changed.language),
      };
    });
  if (edited)
    return (
      <Suspense fallback={<div className="skeleton h-96 rounded-2xl" />}>
        <CaptionsEditor
          contentId={content.id}
          captions={edited}
          onChange={(changed) => {
            setCaptions((known) => settle(changed, draft ? [...known, changed] : known));
            setEditing(changed.id);
            setDraft(null);
          }}
          onClose={() => {
            setEditing(null);
            setDraft(null);
          }}
        />
      </Suspense>
    );
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      <Panel
        title={t`Captions`}
        hint={t`Changes appear in the player within a minute. Captions embedded in the video file are available
        automatically.`}
      >
        <ul {...rows} className="divide-y divide-line empty:hidden">
          {captions.map((each) => (
            <CaptionsRow
              key={each.id}
              captions={each}
              onEdit={() => setEditing(each.id)}
              onChange={(changed) => setCaptions((known) => settle(changed, known))}
              onRemoved={() => setCaptions((known) => known.filter(({ id }) => id !== each.id))}
            />
          ))}
        </ul>
        <AutomaticCaptions contentId={content.id} ready={ready} captions={captions} onMade={setCaptions} />
        <NewCaptions
          contentId={content.id}
          onAdded={(added) => setCaptions((known) => settle(added, [...known, added]))}
          onStart={ready ? setDraft : null}
        />
      </Panel>
    </div>
  );
}

const KINDS: Readonly<Record<CaptionsKind, string>> = {
  SUBTITLES: t`subtitles`,
  CAPTIONS: t`captions`,
  DESCRIPTIONS: t`descriptions`,
};

interface RowProperties {
  readonly captions: StudioCaptionsFragment;
  readonly onEdit: () => void;
  readonly onChange: (captions: StudioCaptionsFragment) => void;
  readonly onRemoved: () => void;
}

function CaptionsRow({ captions, onEdit, onChange, onRemoved }: RowProperties) {
  const [confirming, setConfirming] = useState(false);
  const action = useAction();
  const { id, label, language, kind, isDefault, isForced, isEmbedded, vtt } = captions;
  const change = async (input: { isDefault: boolean } | { isForced: boolean }): Promise<void> =>
    onChange((await api(UpdateCaptions, { id, input })).updateContentCaptions.captions);
  const remove = async (): Promise<void> => {
    await api(DeleteCaptions, { id });
    onRemoved();
  };
  return (
    <li aria-label={label} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 grow basis-48">
        <p className="font-semibold">
          <bdi>{label}</bdi>
        </p>
        <p className="text-sm text-muted">
          {[languageName(language), KINDS[kind], isDefault && t`shown by default`, isForced && t`forced`]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <div className="flex flex-wrap gap-1">
        <Button
          look="quiet"
          busy={action.busy !== null}
          onClick={() => action.run('default', () => change({ isDefault: !isDefault }))}
        >
          {isDefault ? t`Do not show by default` : t`Show by default`}
        </Button>
        {kind !== 'DESCRIPTIONS' && (
          <Button
            look="quiet"
            busy={action.busy !== null}
            onClick={() => action.run('forced', () => change({ isForced: !isForced }))}
          >
            {isForced ? t`Not forced` : t`Forced`}
          </Button>
        )}
        {vtt && !isEmbedded && <Button look="quiet" aria-label={t`Edit ${label}`} onClick={onEdit}>{t`Edit`}</Button>}
        {vtt && (
          <a
            href={sameOriginUrl(vtt)}
            download
            className="rounded-lg px-2.5 py-2 text-[0.95rem] font-semibold text-muted hover:bg-raised hover:text-fore"
          >{t`Download`}</a>
        )}
        <Button look="quiet" onClick={() => setConfirming(true)} aria-label={t`Remove ${label}`}>{t`Remove`}</Button>
      </div>
      {action.error !== null && (
        <div className="basis-full">
          <ErrorNotice error={action.error} />
        </div>
      )}
      <Confirm
        open={confirming}
        title={t`Remove ${label}?`}
        confirmLabel={t`Remove`}
        onConfirm={remove}
        onClose={() => setConfirming(false)}
      >
        <p>{t`These captions will no longer be available to viewers.`}</p>
      </Confirm>
    </li>
  );
}
