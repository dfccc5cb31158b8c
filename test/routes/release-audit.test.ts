import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIGESTS_FILE, digestFiles } from '../../lib/release/release';
import { checkFiles, checkNode } from '../../routes/release-audit';

describe('checkFiles', () => {
  let folder: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'panel-api-files-'));
    writeFileSync(join(folder, 'a.js'), 'one');
    writeFileSync(join(folder, 'b.js'), 'two');
    writeFileSync(join(folder, DIGESTS_FILE), JSON.stringify(await digestFiles(folder)));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  test('passes if every file is as published', async () => {
    expect(await checkFiles(folder)).toEqual({
      status: 'pass',
      detail: 'All 2 files match the published package.',
    });
  });

  test('fails and names a file that was changed', async () => {
    writeFileSync(join(folder, 'a.js'), 'other');
    expect(await checkFiles(folder)).toEqual({
      status: 'fail',
      detail: 'Files that differ from the published package: a.js.',
    });
  });

  test('fails and names a file that is gone', async () => {
    unlinkSync(join(folder, 'b.js'));
    expect(await checkFiles(folder)).toEqual({
      status: 'fail',
      detail: 'Files that differ from the published package: b.js.',
    });
  });

  test('fails and names a file that was added', async () => {
    writeFileSync(join(folder, 'c.js'), 'three');
    expect(await checkFiles(folder)).toEqual({
      status: 'fail',
      detail: 'Files that differ from the published package: c.js.',
    });
  });

  test('warns if nothing was published', async () => {
    unlinkSync(join(folder, DIGESTS_FILE));
    expect((await checkFiles(folder)).status).toBe('warn');
  });

  test('yields to other work between two files', async () => {
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 0);
    for (let file = 0; file < 200; file += 1) writeFileSync(join(folder, `${file}.js`), 'x'.repeat(50_000));
    await checkFiles(folder);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(2);
  });
});

describe('checkNode', () => {
  test('passes on the last day of support', () => {
    expect(checkNode('v20.20.2', new Date('2026-04-30T12:00:00Z')).status).toBe('pass');
  });

  test('warns on the day after', () => {
    expect(checkNode('v20.20.2', new Date('2026-05-01T00:00:00Z'))).toEqual({
      status: 'warn',
      detail: 'Support for Node.js 20 ended on 2026-04-30.',
    });
  });

  test('warns of an unknown line', () => {
    expect(checkNode('v21.0.0', new Date('2026-01-01')).status).toBe('warn');
  });
});
