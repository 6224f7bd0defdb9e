import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type StudioCaptionsFragment, UpdateCaptions } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { sameOriginUrl } from '../../../lib/url.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';

/** Of files that are segments of HLS streams, too. */
const HLS_HEADER = /^X-TIMESTAMP-MAP=.*\n/m;

interface Properties {
  readonly id: string;
  readonly label: string;
  /** Address of the WebVTT file, which changes with its text. */
  readonly vtt: string;
  readonly isAutomatic: boolean;
  readonly onChange: (captions: StudioCaptionsFragment) => void;
  readonly onClose: () => void;
}

/** Edits the text of captions. Automatic ones are the creator's own afterwards. */
export function EditCaptions({ id, label, vtt, isAutomatic, onChange, onClose }: Properties) {
  const [edited, setEdited] = useState<string | null>(null);
  const action = useAction();
  const { data, error } = useQuery({
    queryKey: ['captions-file', vtt],
    queryFn: async () => (await (await fetch(sameOriginUrl(vtt))).text()).replace(HLS_HEADER, ''),
  });
  const save = (): void =>
    action.run('save', async () => {
      onChange((await api(UpdateCaptions, { id, input: { text: edited ?? data ?? '' } })).updateContentCaptions);
      onClose();
    });
  if (data === undefined) return error === null ? null : <ErrorNotice error={error} />;
  return (
    <div className="basis-full space-y-3">
      <TextArea
        label={`Text of ${label}`}
        rows={12}
        look="code"
        value={edited ?? data}
        onChange={(event) => setEdited(event.currentTarget.value)}
        {...(isAutomatic
          ? { hint: 'Once edited, they count as yours: no longer auto-generated, and never replaced.' }
          : {})}
      />
      {action.error !== null && <ErrorNotice error={action.error} />}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" busy={action.busy !== null} disabled={edited === null} onClick={save}>
          Save text
        </Button>
        <Button look="quiet" onClick={onClose}>
          Discard
        </Button>
      </div>
    </div>
  );
}
