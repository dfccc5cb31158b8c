import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { ScratchDirectory } = require('./ScratchDirectory') as {
  ScratchDirectory: new (name: string) => { readonly path: string; remove(): Promise<void> };
};

const FILLED = {
  author: 'The vendor of a panel',
  homepage: 'https://panel.example/api',
  repository: { type: 'git', url: 'git+https://code.example/panel-api.git' },
  bugs: { url: 'https://code.example/panel-api/issues' },
};
const CONTACT = 'security@panel.example';

describe('npm run release:check', () => {
  const scratch = new ScratchDirectory('release');
  afterAll(() => scratch.remove());

  function check(manifest: object, contact: string) {
    writeFileSync(join(scratch.path, 'package.json'), JSON.stringify(manifest));
    writeFileSync(
      join(scratch.path, 'SECURITY.md'),
      `# Security\n\n<!-- contact -->\n${contact}\n<!-- /contact -->\n`,
    );
    const { status, stderr } = spawnSync(process.execPath, [join(__dirname, 'release.js'), scratch.path], {
      encoding: 'utf8',
    });
    return [status, stderr.trim().split('\n').filter(Boolean)];
  }

  test('passes once the publisher has filled in everything', () => {
    expect(check(FILLED, CONTACT)).toEqual([0, []]);
    expect(check({ ...FILLED, author: { name: 'The vendor' } }, 'https://panel.example/security')[0]).toBe(0);
  });

  test.each<[string, object, string]>([
    ['package.json: author', { ...FILLED, author: '' }, CONTACT],
    ['package.json: homepage', { ...FILLED, homepage: '' }, CONTACT],
    ['package.json: repository.url', { ...FILLED, repository: { type: 'git', url: '' } }, CONTACT],
    ['package.json: bugs.url', { ...FILLED, bugs: { url: ' ' } }, CONTACT],
    ['SECURITY.md: the contact', FILLED, 'The publisher names it here.'],
  ])('names what is empty: %s', (field, manifest, contact) => {
    expect(check(manifest, contact)).toEqual([1, [`Fill in before a release: ${field}`]]);
  });

  test('names everything that is missing', () => {
    const [status, lines] = check({}, '');
    expect([status, lines]).toEqual([1, expect.arrayContaining([expect.stringContaining('bugs.url')])]);
    expect(lines).toHaveLength(5);
  });
});
