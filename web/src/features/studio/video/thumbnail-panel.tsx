import { CreateContentUpload } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { storyboardOf } from '../../../player/storyboard.ts';
import { pickImage, ResponsiveImage } from '../../../ui/image.tsx';
import { Panel } from '../../../ui/panel.tsx';
import type { EditedContent } from '../content/details-form.tsx';
import { FramePicker } from './frame-picker.tsx';
import { COVER, ImageField } from './image-field.tsx';
import { uploadImage } from './upload-image.ts';

/** The thumbnail of a content: upload an image, or select a frame of the video. */
export function ThumbnailPanel({ content, onChange }: { content: EditedContent; onChange: () => void }) {
  const send = async (file: File): Promise<void> => {
    // A separate thumbnail has precedence over the poster.
    const hint = pickImage(content.assets.images, 'THUMBNAIL') ? 'THUMBNAIL' : 'POSTER';
    const input = { filename: file.name, size: file.size, image: { hint, alt: null } } as const;
    await uploadImage((await api(CreateContentUpload, { id: content.id, input })).createContentAsset, file);
    onChange();
  };
  const { duration } = content.metadata;
  const storyboard = storyboardOf(content.outputAssets?.images?.videoThumbnails);
  return (
    <Panel
      title={t`Thumbnail`}
      hint={t`Shown in lists and before playback. Recommended: 16:9, at least 1280 pixels wide.`}
    >
      <ImageField fileLabel={t`Thumbnail file`} send={send}>
        <ResponsiveImage image={pickImage(content.assets.images, 'THUMBNAIL', 'POSTER')} {...COVER} />
      </ImageField>
      {storyboard && duration !== null && (
        <FramePicker content={content} duration={duration} storyboard={storyboard} onChosen={onChange} />
      )}
    </Panel>
  );
}
