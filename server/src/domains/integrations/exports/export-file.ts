import type { Platform } from '../../../platform/platform.ts';
import { type ExportFile, exportFile } from './data-exports.store.ts';

/** The file of a complete export; null when there is none, or none any more. */
export function readExportFile({ db, clock }: Pick<Platform, 'db' | 'clock'>, id: string): Promise<ExportFile | null> {
  return exportFile(db, id, new Date(clock.now()).toISOString());
}
