import type { MeasuredGauge } from '../http/metrics.ts';
import type { Platform } from '../platform/platform.ts';
import type { SpaceReading } from '../platform/storage/storage-space.ts';

/** Gauges of the object store's space; absent for an unlimited store. */
export function storageGauges({ space }: Pick<Platform, 'space'>): MeasuredGauge[] {
  const read = (of: (reading: SpaceReading) => number | null) => async () => {
    const reading = await space.read();
    const value = reading && of(reading);
    if (value === null) throw new Error('there is no such limit');
    return value;
  };
  const onDisk = (of: (disk: SpaceReading & { kind: 'disk' }) => number) =>
    read((reading) => (reading.kind === 'disk' ? of(reading) : null));
  return [
    {
      name: 'reelgraph_storage_total_bytes',
      help: 'Size of the object store: of its disk, or STORAGE_CAPACITY.',
      read: read((r) => r.totalBytes),
    },
    {
      name: 'reelgraph_storage_free_bytes',
      help: 'Free bytes on the disk of the object store.',
      read: onDisk((disk) => disk.freeBytes),
    },
    {
      name: 'reelgraph_storage_reserve_bytes',
      help: 'Bytes of that disk that uploads leave free (STORAGE_RESERVE).',
      read: onDisk((disk) => disk.reserveBytes),
    },
  ];
}
