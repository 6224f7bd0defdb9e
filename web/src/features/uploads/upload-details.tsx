import { Link } from '@tanstack/react-router';
import { type StudioContentFragment, SubmitForProcessing, UpdateContent } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { contentTail } from '../../lib/did.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { isSwitchedOn } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { applyAudience, readAudience } from '../studio/content/audience.ts';
import { AudienceFields } from '../studio/content/audience-fields.tsx';
import { changeKind } from './upload-commands.ts';
import { isUnfinished, type UploadItem } from './upload-item.ts';
import { changeKeptUpload, changeUpload } from './upload-list.ts';

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

function DetailsForm({ item, content, onClose }: Properties & { readonly content: StudioContentFragment }) {
  const form = useForm(async (data) => {
    await save(item, content, data);
    onClose();
  });
  const kindIsOpen = isUnfinished(item) && !item.replaces && content.status === 'DRAFT';
  return (
    <form onSubmit={form.onSubmit} aria-label={t`Details`} className="space-y-4">
      {form.error !== null && <ErrorNotice error={form.error} />}
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
      {isSwitchedOn('ENHANCEMENT') && (!content.transcodeJob || item.phase !== 'sent') && (
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

/** What makes it visible comes last, so that nothing is seen with its old title. */
async function save(item: UploadItem, content: StudioContentFragment, data: FormData): Promise<void> {
  const { audience, releaseDate } = readAudience(data, Date.now());
  const input = { title: textOf(data, 'title'), summary: textOf(data, 'summary') };
  const { updateContent } = await api(UpdateContent, { id: content.id, input });
  changeUpload(item.id, { content: updateContent, title: input.title });
  changeUpload(item.id, { content: await applyAudience(updateContent, audience, releaseDate) });
  const enhance = data.has('enhance');
  if (enhance && item.phase === 'sent') await api(SubmitForProcessing, { id: content.id, enhance });
  await changeKeptUpload(item.id, { enhance, title: input.title });
  const kind = data.get('kind');
  if ((kind === 'SHORT' || kind === 'FEATURE') && kind !== item.kind) void changeKind(item.id, kind);
}
