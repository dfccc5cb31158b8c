import { readFile } from 'node:fs/promises';

/** The text of a file, or null where it is missing or may not be read. */
export async function readTextOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return null;
  }
}
