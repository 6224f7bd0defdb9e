import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import {
  type ContentInput,
  type StudioContentFragment,
  StudioContentItem,
  SubmitForProcessing,
  UpdateContent,
} from '../../gql/generated/operations.gen.ts';
import { isSwitchedOn } from '../../gql/server-features.ts';
import { api } from '../../lib/api.ts';
import { contentTail } from '../../lib/did.ts';
import { type EditFields, textEdit } from '../../lib/edits/edit-fields.ts';
import { useEdits } from '../../lib/edits/use-edits.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { readAudience } from '../studio/audience/audience.ts';
import { AudienceFields } from '../studio/audience/audience-fields.tsx';
import { useSaveAudience } from '../studio/audience/use-save-audience.ts';
import { changeKind } from './upload-commands.ts';
import { isUnfinished, type UploadItem } from './upload-item.ts';
import { changeKeptUpload, changeUpload } from './upload-list.ts';

/** With the player, which is loaded before it can be shown. */
const ArrivingPreview = lazy(async () => ({ default: (await import('./arriving-preview.tsx')).ArrivingPreview }));

interface Properties {
  readonly item: UploadItem;
  readonly onClose: () => void;
}

/** A dialog with the details of a video, which can be edited while it is uploaded. */
export function UploadDetails({ item, onClose }: Properties) {
  return (
    <Dialog open title={t`Details`} onClose={onClose}>
      {item.content ? (
        <DetailsForm item={item} content={item.content} onClose={onClose} />
      ) : (
        <p role="status" className="text-muted">
          {t`Preparing ${item.filename}…`}
        </p>
      )}
    </Dialog>
  );
}

function DetailsForm({ item, content: now, onClose }: Properties & { readonly content: StudioContentFragment }) {
  const [content] = useState(now); // as the fields show it
  const { save, texts, audience } = useSaveDetails(item, content);
  const form = useForm(async (data) => {
    if (!(await save(data))) return false;
    return onClose();
  });
  const kindIsOpen = isUnfinished(item) && !item.replaces && now.status === 'DRAFT';
  return (
    <>
      <form onSubmit={form.onSubmit} aria-label={t`Details`} className="space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        {!item.replaces && (
          <Suspense>
            <ArrivingPreview contentId={content.id} title={item.title} isSending={isUnfinished(item)} />
          </Suspense>
        )}
        <TextField
          label={t`Title`}
          name="title"
          required
          autoFocus
          defaultValue={content.metadata.title}
          error={form.fieldError('title')}
        />
        <TextArea
          label={t`Description`}
          name="summary"
          defaultValue={content.metadata.summary}
          error={form.fieldError('summary')}
        />
        {kindIsOpen && (
          <SelectField
            label={t`Type`}
            name="kind"
            defaultValue={item.kind}
            hint={
              item.kind === 'SHORT'
                ? t`Recognized as a short: portrait, and at most 3 minutes. Changing the type uploads the file again.`
                : t`Changing the type uploads the file again.`
            }
          >
            <option value="FEATURE">{t`Video`}</option>
            <option value="SHORT">{t`Short`}</option>
          </SelectField>
        )}
        <AudienceFields content={content} dateError={form.fieldError('releaseDate')} />
        {isSwitchedOn('ENHANCEMENT') && (!now.transcodeJob || item.phase !== 'sent') && (
          <EnhanceField checked={item.enhance} />
        )}
        <p className="text-sm text-muted">
          <Trans>
            Thumbnail, captions and more are on the{' '}
            <Link
              to="/studio/content/$"
              params={{ _splat: contentTail(content.id) }}
              onClick={onClose}
              className="text-accent-text underline underline-offset-3"
            >
              page of the video
            </Link>
            .
          </Trans>
        </p>
        <DialogButtons>
          <Button onClick={onClose} disabled={form.busy}>{t`Cancel`}</Button>
          <Button look="primary" type="submit" busy={form.busy}>{t`Save`}</Button>
        </DialogButtons>
      </form>
      <ConflictDialog question={texts.question ?? audience.question} />
    </>
  );
}

function EnhanceField({ checked }: { checked: boolean }) {
  return (
    <label className="flex items-start gap-3">
      <input type="checkbox" name="enhance" defaultChecked={checked} className="mt-0.5 size-5 shrink-0 accent-accent" />
      <span>
        {t`Enhance when ready`}
        <span className="block text-sm text-muted">
          {t`Adds a larger quality and 5.1 sound that viewers can choose. Comes with Creator+.`}
        </span>
      </span>
    </label>
  );
}

const FIELDS: EditFields<StudioContentFragment> = {
  title: textEdit(t`Title`, ({ metadata }) => metadata.title),
  summary: textEdit(t`Description`, ({ metadata }) => metadata.summary),
};

/** Saves the form; `save` returns false when the person goes on editing. */
function useSaveDetails(item: UploadItem, content: StudioContentFragment) {
  const { id } = content;
  const texts = useEdits({
    fields: FIELDS,
    send: (input: ContentInput) => api(UpdateContent, { id, input }),
    load: async () => (await api(StudioContentItem, { id })).content ?? null,
  });
  const audience = useSaveAudience(id);
  // What makes it visible comes last, so that nothing is seen with its old title.
  const save = async (data: FormData): Promise<boolean> => {
    const chosen = readAudience(data, Date.now());
    const edited = { title: [textOf(data, 'title')], summary: [textOf(data, 'summary')] };
    const titled = await texts.save(content, edited);
    if (titled === null) return false;
    const { title } = titled.metadata;
    // What the form opened with may be older than what the list has.
    changeUpload(item.id, { title, ...(titled === content ? {} : { content: titled }) });
    const opened = await audience.save(content, chosen);
    if (opened === null) return false;
    if (opened !== content) changeUpload(item.id, { content: opened });
    const enhance = data.has('enhance');
    if (enhance && item.phase === 'sent') await api(SubmitForProcessing, { id, enhance });
    await changeKeptUpload(item.id, { enhance, title });
    const kind = data.get('kind');
    if ((kind === 'SHORT' || kind === 'FEATURE') && kind !== item.kind) void changeKind(item.id, kind);
    return true;
  };
  return { save, texts, audience };
}
