import { expectRecorded } from './expectRecorded';
import { publicTypes } from './publicTypes';

test('the public types are the recorded ones', async () => {
  expectRecorded('publicTypes.txt', await publicTypes('tsconfig.json', 'index.ts'));
});
