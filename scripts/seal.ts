import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIGESTS_FILE, digestFiles } from '../lib/release/release';

/** The last step of the build: writes the digests of the files that will be published. */
async function seal(folder: string): Promise<void> {
  writeFileSync(join(folder, DIGESTS_FILE), `${JSON.stringify(await digestFiles(folder), null, 1)}\n`);
}

void seal(join(__dirname, '..'));
