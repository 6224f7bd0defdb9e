import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import type { UploadItem } from '../../uploads/upload-item.ts';
import type { OpenUpload } from '../content/progress-of.ts';
import type { Column } from './columns.ts';

/** What a row of the table shows and may change. */
export interface RowProperties {
  readonly content: StudioContentFragment;
  readonly columns: readonly Column[];
  readonly upload: UploadItem | null;
  /** The latest unfinished upload: started in another session, or failed. */
  readonly open: OpenUpload | null;
  readonly may: { readonly edit: boolean; readonly delete: boolean };
  readonly selected: boolean;
  readonly onSelect: (selected: boolean) => void;
  readonly onChange: (content: StudioContentFragment) => void;
  readonly onDelete: (id: string) => void;
}
