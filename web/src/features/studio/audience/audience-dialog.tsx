import { useState } from 'react';
import { type StudioContentFragment, StudioContentItem } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { ConflictDialog } from '../../../ui/conflict-dialog.tsx';
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { readAudience } from './audience.ts';
import { AudienceFields } from './audience-fields.tsx';
import { useSaveAudience } from './use-save-audience.ts';

interface Properties {
  readonly content: StudioContentFragment;
  /** Shows what is stored; the dialog stays until then, since what it opens with next has to be that. */
  readonly onChange: (content: StudioContentFragment) => Promise<void> | void;
  readonly onClose: () => void;
}

/** Asks who can watch a content, and publishes or schedules it accordingly. */
export function AudienceDialog({ open, ...rest }: Properties & { readonly open: boolean }) {
  return (
    <Dialog open={open} title={t`Visibility`} onClose={rest.onClose}>
      <AudienceForm {...rest} />
    </Dialog>
  );
}

function AudienceForm({ content: now, onChange, onClose }: Properties) {
  const [content] = useState(now); // as the fields show it
  const edits = useSaveAudience(content.id);
  const form = useForm(async (data) => {
    const chosen = readAudience(data, Date.now());
    try {
      const stored = await edits.save(content, chosen);
      if (stored === null) return false;
      await onChange(stored);
    } catch (error) {
      // What is shown is what is stored, whatever has failed.
      const { content: stored } = await api(StudioContentItem, { id: content.id }).catch(() => ({ content: null }));
      if (stored) await onChange(stored);
      throw error;
    }
    onClose();
    return true;
  });
  return (
    <>
      <form onSubmit={form.onSubmit} className="space-y-4">
        <p className="font-semibold [overflow-wrap:anywhere]">
          <bdi>{content.metadata.title}</bdi>
        </p>
        {form.error !== null && <ErrorNotice error={form.error} />}
        <AudienceFields content={content} dateError={form.fieldError('releaseDate')} />
        <DialogButtons>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button look="primary" type="submit" busy={form.busy}>{t`Save`}</Button>
        </DialogButtons>
      </form>
      <ConflictDialog question={edits.question} />
    </>
  );
}
