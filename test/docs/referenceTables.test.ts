import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceTables } from '../fixture/referenceTables';

const FOLDER = join(__dirname, '..', '..', 'docs', 'reference');

/** `npm run test:renew` writes the tables again. */
const renew = process.env.RENEW === '1';

const MESSAGE = 'If the change is intended, run "npm run test:renew" and commit docs/reference.';

describe.each(Object.entries(referenceTables))('docs/reference/%s', (page, tables) => {
  const file = join(FOLDER, page);

  test.each(Object.entries(tables))('has the table of %s as it is declared', (name, declared) => {
    const text = readFileSync(file, 'utf8');
    const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
    const from = text.indexOf(start) + start.length;
    const to = text.indexOf(end);
    expect({ name, hasMarkers: from > start.length && to >= from - 1 }).toEqual({ name, hasMarkers: true });
    if (renew) return writeFileSync(file, text.slice(0, from) + declared() + text.slice(Math.max(to, from)));
    expect({ MESSAGE, table: text.slice(from, to) }).toEqual({ MESSAGE, table: declared() });
  });
});
