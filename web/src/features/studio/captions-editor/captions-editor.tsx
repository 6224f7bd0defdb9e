import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import {
  CaptionsEditor as CaptionsEditorData,
  type StudioCaptionsFragment,
} from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { operationQuery } from '../../../lib/query.ts';
import { sameOriginUrl } from '../../../lib/url.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { readCues } from './cue-text.ts';
import { EditorDesk } from './editor-desk.tsx';
import type { NewCaptionsDraft } from './use-save-captions.ts';

interface Properties {
  readonly contentId: string;
  /** Those to edit, or what new ones will be. */
  readonly captions: StudioCaptionsFragment | NewCaptionsDraft;
  readonly onChange: (captions: StudioCaptionsFragment) => void;
  readonly onClose: () => void;
}

/** Loads the text of captions and their video, and edits them. */
export function CaptionsEditor({ contentId, captions, onChange, onClose }: Properties) {
  const { label } = captions;
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => whole.current?.focus(), []); // what opened it is gone
  const isAutomatic = captions.id !== null && captions.isAutomatic;
  // Saving changes the address, and what is edited goes on.
  const [vtt] = useState(captions.id === null ? null : captions.vtt);
  const text = useQuery({
    queryKey: ['captions-file', vtt],
    queryFn: async () => {
      const response = await fetch(sameOriginUrl(vtt ?? ''));
      if (!response.ok) throw new Error(`The captions could not be loaded (${response.status}).`);
      return response.text();
    },
    enabled: vtt !== null,
  });
  const source = useQuery(operationQuery(CaptionsEditorData, { id: contentId }));
  const video = source.data?.content?.assets.videos.edges[0]?.node ?? null;
  const file = vtt === null ? '' : text.data;
  const error = text.error ?? source.error;
  return (
    <div ref={whole} tabIndex={-1} className="scroll-mt-20 outline-none">
      <Panel
        title={t`Edit ${label}`}
        hint={
          isAutomatic ? t`Once edited, they count as yours: no longer auto-generated, and never replaced.` : undefined
        }
      >
        {error !== null && (
          <ErrorNotice error={error} action={<Button onClick={onClose}>{t`Back to captions`}</Button>} />
        )}
        {file !== undefined && video !== null && (
          <EditorDesk
            contentId={contentId}
            captions={captions}
            loaded={readCues(file)}
            video={video}
            onSaved={onChange}
            onClose={onClose}
          />
        )}
        {error === null && (file === undefined || video === null) && <div className="skeleton h-96 rounded-xl" />}
      </Panel>
    </div>
  );
}
