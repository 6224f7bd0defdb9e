import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  CreateChannelImageUpload,
  type ImagePurpose,
  type StudioChannelPartsFragment,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { Avatar, pickImage, ResponsiveImage } from '../../../ui/image.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ImageField } from '../video/image-field.tsx';
import { uploadImage } from '../video/upload-image.ts';

/** Avatar and banner of a channel. */
export function ChannelImages({ channel }: { channel: StudioChannelPartsFragment }) {
  const { images } = channel.assets;
  const { title } = channel.metadata;
  return (
    <Panel title={t`Branding`}>
      <ChannelImage
        channel={channel}
        hint="AVATAR"
        label={t`Avatar`}
        fileLabel={t`Avatar file`}
        help={t`Square image, shown as a circle next to your videos and comments.`}
      >
        <Avatar image={pickImage(images, 'AVATAR')} name={title} className="size-20 text-3xl" />
      </ChannelImage>
      <ChannelImage
        channel={channel}
        hint="BANNER"
        label={t`Banner`}
        fileLabel={t`Banner file`}
        help={t`Shown at the top of your channel page. Use an aspect ratio of 5:1.`}
      >
        <ResponsiveImage
          image={pickImage(images, 'BANNER')}
          sizes="(min-width: 40rem) 24rem, 90vw"
          className="aspect-[5/1] w-full rounded-xl sm:w-96"
        />
      </ChannelImage>
    </Panel>
  );
}

interface ImageProperties {
  readonly channel: StudioChannelPartsFragment;
  readonly hint: ImagePurpose;
  readonly label: string;
  readonly fileLabel: string;
  readonly help: string;
  readonly children: ReactNode;
}

function ChannelImage({ channel, hint, label, fileLabel, help, children }: ImageProperties) {
  const router = useRouter();
  const send = async (file: File): Promise<void> => {
    const input = { filename: file.name, size: file.size, image: { hint, alt: null } };
    const { ingestion } = (await api(CreateChannelImageUpload, { id: channel.id, input })).createChannelAsset;
    await uploadImage(ingestion, file);
    await router.invalidate({ sync: true });
  };
  return (
    <div className="space-y-3">
      <h3 className="font-semibold">{label}</h3>
      <ImageField fileLabel={fileLabel} help={help} send={send}>
        {children}
      </ImageField>
    </div>
  );
}
