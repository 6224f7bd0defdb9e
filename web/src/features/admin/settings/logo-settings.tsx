import { useRouter } from '@tanstack/react-router';
import {
  type InstanceFieldsFragment,
  InstanceSettings,
  UpdateInstance,
  type UpdateInstanceInput,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { type EditFields, optionalEdit } from '../../../lib/edits/edit-fields.ts';
import { useEdits } from '../../../lib/edits/use-edits.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { sameOriginUrl } from '../../../lib/url.ts';
import { Button } from '../../../ui/button.tsx';
import { ConflictDialog } from '../../../ui/conflict-dialog.tsx';
import { FileButton } from '../../../ui/file-button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';

/** The address of the stored image, or the content of the chosen one. */
const FIELDS: EditFields<InstanceFieldsFragment> = {
  logo: {
    ...optionalEdit(t`Logo`, ({ logo }) => logo?.url ?? null),
    words: (image) => {
      if (image === '') return t`The logo of Reelgraph`;
      return /^https?:|^\//.test(image) ? t`Another image` : t`The chosen image`;
    },
  },
};

/** The logo of the server: shown, replaced, removed. */
export function LogoSettings({ instance }: { instance: InstanceFieldsFragment }) {
  const { logo } = instance;
  const router = useRouter();
  const action = useAction();
  const edits = useEdits({
    fields: FIELDS,
    send: (input: UpdateInstanceInput) => api(UpdateInstance, { input }),
    load: async () => (await api(InstanceSettings)).instance,
  });
  const save = (name: string, read: () => Promise<string>): void =>
    action.run(name, async () => {
      await edits.save(instance, { logo: [await read()] });
      await router.invalidate({ sync: true });
    });
  return (
    <Panel
      title={t`Logo`}
      hint={t`Beside the name of the server, in messages, and if it is square as the icon of browser tabs.
        PNG, WebP or JPEG, at most 500 kB.`}
    >
      {action.error !== null && <ErrorNotice error={action.error} />}
      {logo ? (
        <img
          src={sameOriginUrl(logo.url)}
          alt={t`Logo of the server`}
          width={logo.width}
          height={logo.height}
          className="h-16 w-auto max-w-full object-contain"
        />
      ) : (
        <p className="text-muted">{t`The server has the logo of Reelgraph.`}</p>
      )}
      <div className="flex flex-wrap gap-3">
        <FileButton
          label={t`Image of the logo`}
          accept="image/png,image/webp,image/jpeg"
          busy={action.busy === 'choose'}
          onFile={(file) => save('choose', () => base64Of(file))}
        >
          {t`Choose an image`}
        </FileButton>
        {logo && (
          <Button busy={action.busy === 'remove'} onClick={() => save('remove', async () => '')}>
            {t`Remove`}
          </Button>
        )}
      </div>
      <ConflictDialog question={edits.question} />
    </Panel>
  );
}

/** What follows the comma of a data URL. */
function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error ?? new Error(t`The file could not be read.`));
    reader.readAsDataURL(file);
  });
}
