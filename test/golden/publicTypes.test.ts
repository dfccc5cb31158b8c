import { join } from 'node:path';
import { runCommand } from '../runCommand';
import { expectRecorded } from './expectRecorded';

test('the public types are the recorded ones', async () => {
  expectRecorded('publicTypes.txt', await runCommand('node', [join(__dirname, 'printPublicTypes.mjs')]));
});
