import { readFile } from 'node:fs/promises';
import { CliError } from './errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

/** The text of a file in UTF-8. Throws CliError when it cannot be read. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CliError(`${path} is not UTF-8 text.`, 'Save it in UTF-8.');
  }
}

/** The error for a file that the system does not let us read. */
export function unreadable(path: string, error: unknown): CliError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error));
  return new CliError(`${path} cannot be read: ${reason}.`, 'Check the path.');
}
