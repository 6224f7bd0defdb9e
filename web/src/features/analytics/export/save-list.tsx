import { useMutation } from '@tanstack/react-query';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { downloadCsv, toCsv } from './csv.ts';

export type CsvRow = readonly (string | number)[];

interface Properties {
  /** What the list has, and the name of the file. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly load: () => Promise<readonly CsvRow[]>;
}

/** Saves a list as a CSV file: at most 500 rows, in the order of the page. */
export function SaveList({ name, columns, load }: Properties) {
  const save = useMutation({ mutationFn: async () => downloadCsv(name, toCsv(columns, await load())) });
  return (
    <div className="-mt-2 -ms-2.5 space-y-3">
      <Button look="quiet" className="text-sm" busy={save.isPending} onClick={() => save.mutate()}>
        <Icon name="download" className="size-4" /> {t`Download CSV`}
      </Button>
      {save.error !== null && <ErrorNotice error={save.error} />}
    </div>
  );
}
