import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIGESTS_FILE, digestFiles } from './digests';

/** Run by the build, as its last step: writes down the digests of what will be published. */
function seal(folder: string): void {
  writeFileSync(join(folder, DIGESTS_FILE), `${JSON.stringify(digestFiles(folder), null, 1)}\n`);
}

seal(join(__dirname, '..', '..'));
