import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readmeTables } from './fixture/readmeTables';

const FILE = join(__dirname, '..', 'README.md');

/** `UPDATE_README=1` writes the tables anew. */
const update = process.env.UPDATE_README === '1';

describe('The README', () => {
  test.each(Object.keys(readmeTables))('has the table of %s as it is declared', (name) => {
    const readme = readFileSync(FILE, 'utf8');
    const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
    const from = readme.indexOf(start) + start.length;
    const to = readme.indexOf(end);
    expect(from).toBeGreaterThan(start.length);
    const declared = readmeTables[name]?.() ?? '';
    if (update) writeFileSync(FILE, readme.slice(0, from) + declared + readme.slice(to));
    else expect(readme.slice(from, to)).toBe(declared);
  });
});
