import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkFiles } from '../../../lib/release/checkFiles';
import { DIGESTS_FILE, digestFiles } from '../../../lib/release/digests';

describe('checkFiles', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'panel-api-files-'));
    writeFileSync(join(folder, 'a.js'), 'one');
    writeFileSync(join(folder, 'b.js'), 'two');
    writeFileSync(join(folder, DIGESTS_FILE), JSON.stringify(digestFiles(folder)));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  test('passes where every file is as published', () => {
    expect(checkFiles(folder)).toEqual({ status: 'pass', detail: '2 files are as published.' });
  });

  test('fails and names a file that was changed', () => {
    writeFileSync(join(folder, 'a.js'), 'other');
    expect(checkFiles(folder)).toEqual({ status: 'fail', detail: 'Not as published: a.js.' });
  });

  test('fails and names a file that is gone', () => {
    unlinkSync(join(folder, 'b.js'));
    expect(checkFiles(folder)).toEqual({ status: 'fail', detail: 'Not as published: b.js.' });
  });

  test('fails and names a file that was added', () => {
    writeFileSync(join(folder, 'c.js'), 'three');
    expect(checkFiles(folder)).toEqual({ status: 'fail', detail: 'Not as published: c.js.' });
  });

  test('warns where nothing was published', () => {
    unlinkSync(join(folder, DIGESTS_FILE));
    expect(checkFiles(folder).status).toBe('warn');
  });
});
