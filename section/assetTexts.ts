import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The stylesheet and the script of the section. The build replaces this file by their texts, so that a bundle contains
 * them.
 */
export const stylesheet = filesIn('styles');
export const script = filesIn('scripts');

function filesIn(folder: string): string {
  const path = join(__dirname, 'assets', folder);
  return readdirSync(path)
    .toSorted()
    .map((name) => readFileSync(join(path, name), 'utf8'))
    .join('\n');
}
