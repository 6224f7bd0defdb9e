interface FileState {
  readonly size: number;
  readonly lastModified: number;
}

const states = new WeakMap<File, FileState>();

/** Notes the state of a selected file. Some browsers read a file as it is on disk when it is read. */
export function noteFile(file: File): void {
  if (!states.has(file)) states.set(file, { size: file.size, lastModified: file.lastModified });
}

/** Whether it can be read, and is as it was when it was selected. */
export async function isFileUnchanged(file: File): Promise<boolean> {
  const noted = states.get(file);
  if (noted && (file.size !== noted.size || file.lastModified !== noted.lastModified)) return false;
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
