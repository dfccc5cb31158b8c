import { mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { digestFolders, PUBLISHED_FILE } from '../../lib/health/digests';
import { published } from '../../lib/health/published';
import { checkFiles } from '../../routes/release-audit';

describe('checkFiles', () => {
  let folder: string;
  let digests: typeof published.digests;

  const check = () => checkFiles(folder, { ...published, digests });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'panel-api-files-'));
    for (const name of ['one', 'two', 'three']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'one', 'a.js'), 'one');
    writeFileSync(join(folder, 'two', 'b.js'), 'two');
    mkdirSync(join(folder, dirname(PUBLISHED_FILE)), { recursive: true });
    writeFileSync(join(folder, PUBLISHED_FILE), '');
    digests = await digestFolders(folder);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  test('passes if every file is as published', async () => {
    expect(await check()).toEqual({
      status: 'pass',
      detail: 'All files match the published package.',
    });
  });

  test('fails and names a file that was changed', async () => {
    writeFileSync(join(folder, 'one', 'a.js'), 'other');
    expect(await check()).toEqual({
      status: 'fail',
      detail: 'Folders with files that differ from the published package: one.',
    });
  });

  test('fails and names a file that is gone', async () => {
    unlinkSync(join(folder, 'two', 'b.js'));
    expect(await check()).toEqual({
      status: 'fail',
      detail: 'Folders with files that differ from the published package: two.',
    });
  });

  test('fails and names a file that was added', async () => {
    writeFileSync(join(folder, 'three', 'c.js'), 'three');
    expect(await check()).toEqual({
      status: 'fail',
      detail: 'Folders with files that differ from the published package: three.',
    });
  });

  test('warns if the module runs from source code', async () => {
    expect(await checkFiles()).toEqual({
      status: 'warn',
      detail: expect.stringContaining('from source code'),
    });
  });

  test('reads no file of a panel whose bundle contains the module', async () => {
    unlinkSync(join(folder, PUBLISHED_FILE));
    writeFileSync(join(folder, 'one', 'a.js'), 'of the panel');
    expect(await check()).toEqual({ status: 'warn', detail: expect.stringContaining('part of a bundle') });
  });

  test('yields to other work between two files', async () => {
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 0);
    for (let file = 0; file < 200; file += 1) writeFileSync(join(folder, `${file}.js`), 'x'.repeat(50_000));
    await check();
    clearInterval(counting);
    expect(turns).toBeGreaterThan(2);
  });
});
