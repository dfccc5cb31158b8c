import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Page, ROOT } from './Page';

test('the picture of the architecture shows every folder of lib', () => {
  const picture = new Page('docs/explanation/architecture.md').blocks[0]?.text ?? '';
  const folders = readdirSync(join(ROOT, 'lib'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `lib/${name}`);
  expect(folders.length).toBeGreaterThan(10);
  expect(folders.filter((folder) => !new RegExp(`${folder}\\b`).test(picture))).toEqual([]);
});
