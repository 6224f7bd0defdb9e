import { useId } from 'react';
import type { ImageFragment } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { TextField } from '../../../ui/field.tsx';
import { FileButton } from '../../../ui/file-button.tsx';
import { ResponsiveImage } from '../../../ui/image.tsx';
import { IMAGE_TYPES } from '../video/upload-image.ts';

/** An image that a version may show. */
export type TestImage = ImageFragment & { readonly id: string };

/** A version in the form; an empty title and null stand for those of the video. */
export interface VariantDraft {
  readonly title: string;
  readonly imageId: string | null;
}

interface Properties {
  /** B or C. */
  readonly label: string;
  readonly draft: VariantDraft;
  readonly original: { readonly title: string; readonly imageId: string | null };
  readonly images: readonly TestImage[];
  /** Whether an image is being uploaded. */
  readonly busy: boolean;
  readonly onChange: (draft: VariantDraft) => void;
  readonly onFile: (file: File) => void;
}

/** Title and thumbnail of one version. */
export function VariantFields({ label, draft, original, images, busy, onChange, onFile }: Properties) {
  return (
    <fieldset className="space-y-4 rounded-2xl border border-line p-4">
      <legend className="px-1 font-semibold">{t`Version ${label}`}</legend>
      <TextField
        label={t`Title`}
        value={draft.title}
        maxLength={200}
        placeholder={original.title}
        hint={t`Leave it empty to keep the title.`}
        onChange={(event) => onChange({ ...draft, title: event.target.value })}
      />
      <div className="space-y-2">
        <p className="text-sm font-semibold">{t`Thumbnail`}</p>
        <ImageChoice
          images={images.filter(({ id }) => id !== original.imageId)}
          chosen={draft.imageId}
          onChoose={(imageId) => onChange({ ...draft, imageId })}
        />
        <FileButton label={t`Thumbnail of version ${label}`} accept={IMAGE_TYPES} busy={busy} onFile={onFile}>
          {busy ? t`Uploading image…` : t`Upload image`}
        </FileButton>
      </div>
    </fieldset>
  );
}

interface ChoiceProperties {
  readonly images: readonly TestImage[];
  readonly chosen: string | null;
  readonly onChoose: (imageId: string | null) => void;
}

/** Radio buttons with images; the first keeps the present thumbnail. */
function ImageChoice({ images, chosen, onChoose }: ChoiceProperties) {
  const name = useId();
  const frame = 'grid aspect-video w-32 cursor-pointer place-items-center overflow-hidden rounded-lg border-2 text-sm';
  const focus = 'has-focus-visible:outline-2 has-focus-visible:outline-accent-text';
  const look = (isChosen: boolean): string => `${frame} ${focus} ${isChosen ? 'border-accent' : 'border-line'}`;
  return (
    <div className="flex flex-wrap gap-3">
      <label className={look(chosen === null)}>
        <input type="radio" name={name} checked={chosen === null} className="sr-only" onChange={() => onChoose(null)} />
        <span className="px-2 text-center text-muted">{t`As it is`}</span>
      </label>
      {images.map((image, index) => {
        const number = index + 1;
        return (
          <label key={image.id} className={look(chosen === image.id)}>
            <input
              type="radio"
              name={name}
              checked={chosen === image.id}
              aria-label={t`Image ${number}`}
              className="sr-only"
              onChange={() => onChoose(image.id)}
            />
            <ResponsiveImage image={image} sizes="8rem" className="size-full" />
          </label>
        );
      })}
    </div>
  );
}
