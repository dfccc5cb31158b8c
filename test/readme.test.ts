import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readmeTables } from './fixture/readmeTables';

const FILE = join(__dirname, '..', 'README.md');

/** `npm run test:renew` writes the tables again. */
const renew = process.env.RENEW === '1';

/** What the examples take from the panel. */
const HEADER = `import type Koa from 'koa';
import { createApiSection, createPanelApi, type PanelApiOptions } from 'koa-panel-api';
declare const app: Koa;
declare const { db, logger }: PanelApiOptions;
`;

describe('The README', () => {
  test.each(Object.keys(readmeTables))('has the table of %s as it is declared', (name) => {
    const readme = readFileSync(FILE, 'utf8');
    const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
    const from = readme.indexOf(start) + start.length;
    const to = readme.indexOf(end);
    expect(from).toBeGreaterThan(start.length);
    const declared = readmeTables[name]?.() ?? '';
    if (renew) return writeFileSync(FILE, readme.slice(0, from) + declared + readme.slice(to));
    const message = 'If the change is intended, run "npm run test:renew" and commit README.md.';
    expect({ message, table: readme.slice(from, to) }).toEqual({ message, table: declared });
  });

  test('has examples that compile in strict TypeScript', () => {
    const examples = [...readFileSync(FILE, 'utf8').matchAll(/^```js\n(.*?)^```/gms)].map(
      ([, code]) => code ?? '',
    );
    const mounts = examples.filter((code) =>
      /^const api = createPanelApi|^await api\.|createApiSection\(/m.test(code),
    );
    expect(mounts.length).toBeGreaterThanOrEqual(3);
    const code = mounts.join('\n').replace(/^const \{.*\} = require\(.*\n/gm, '');
    // Within the repository, so that the packages are found.
    const folder = mkdtempSync(join(__dirname, 'types', 'readme-'));
    try {
      writeFileSync(join(folder, 'examples.ts'), HEADER + code);
      const options = { extends: '../../../tsconfig.test.json', include: ['examples.ts'] };
      const paths = { 'koa-panel-api': ['../../../index.ts'] };
      const compilerOptions = {
        module: 'esnext',
        moduleResolution: 'bundler',
        rootDir: '../../..',
        noUnusedLocals: false,
        paths,
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...options, compilerOptions }));
      expect(spawnSync('npx', ['tsc', '-p', folder], { encoding: 'utf8' }).stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
