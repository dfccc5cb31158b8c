import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIGESTS_FILE, digestFiles } from '../lib/release/release';

/** Run by the build, as its last step: writes down the digests of what will be published. */
async function seal(folder: string): Promise<void> {
  writeFileSync(join(folder, DIGESTS_FILE), `${JSON.stringify(await digestFiles(folder), null, 1)}\n`);
}

void seal(join(__dirname, '..'));
