import type { SpaceReading, StorageSpace } from '../../../platform/storage/storage-space.ts';

/** A store with a settable capacity. */
export class TestSpace implements StorageSpace {
  reading: SpaceReading | null = null;
  received = new Map<string, number>();
  read = async () => this.reading;
  receivedBytes = async (key: string) => this.received.get(key) ?? 0;
  disk(totalBytes: number, freeBytes: number, reserveBytes: number): void {
    this.reading = { kind: 'disk', totalBytes, freeBytes, reserveBytes };
  }
}
