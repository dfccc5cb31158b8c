import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceTables } from '../fixture/referenceTables';
import { replaceTable } from '../fixture/referenceTables/replaceTable';

const FOLDER = join(__dirname, '..', '..', 'docs', 'reference');

/** `npm run test:renew` writes the tables again. */
const renew = process.env.RENEW === '1';

const MESSAGE = 'If the change is intended, run "npm run test:renew" and commit docs/reference.';

describe.each(Object.entries(referenceTables))('docs/reference/%s', (page, tables) => {
  const file = join(FOLDER, page);

  test.each(Object.entries(tables))('has the table of %s as it is declared', (name, declared) => {
    const text = readFileSync(file, 'utf8');
    const renewed = replaceTable(text, name, declared());
    const markers = `<!-- ${name} --> and <!-- /${name} -->, each on its own line`;
    expect({ page, markers, areThere: renewed !== null }).toEqual({ page, markers, areThere: true });
    if (renew) writeFileSync(file, renewed ?? text);
    else expect({ MESSAGE, text }).toEqual({ MESSAGE, text: renewed });
  });
});
