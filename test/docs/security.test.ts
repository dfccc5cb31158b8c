import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sqlite } from '../../lib/database/dialects/sqlite';
import { type Migration, tableNames } from '../../lib/database/migrations/tables';
import { proofs } from '../prove/proofs';
import { Page, ROOT } from './Page';

const { text } = new Page('SECURITY.md');
const tables = tableNames('panel_api_');

/** Columns of texts that say nothing about a person. */
const IMPERSONAL = ['scopes', 'action', 'origin', 'endpoint', 'value'];

test('the security policy names a proof for each promise, and every proof', () => {
  const named = tableRows('promises').map(([, cell = '']) => codes(cell));
  expect(named.filter((names) => names.length === 0)).toEqual([]);
  // How the pages look is no promise of security.
  const promised = proofs.map(({ name }) => name).filter((name) => name !== 'pages');
  expect(new Set(named.flat())).toEqual(new Set(promised));
});

test('the security policy names tests that exist for each requirement that is met', () => {
  const rows = tableRows('asvs');
  expect(rows.filter(([ids = '']) => !/^\d+(\.\d+){2}(, \d+(\.\d+){2})*$/.test(ids))).toEqual([]);
  const files = rows.flatMap(([, , cell = '']) => codes(cell));
  expect(files.length).toBeGreaterThanOrEqual(rows.length);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('the security policy names every table of the module', () => {
  expect(Object.values(tables).filter((table) => !text.includes(`\`${table}\``))).toEqual([]);
});

test('the security policy names every column that can hold personal data', () => {
  const columns = migrations().flatMap(textColumns);
  expect(columns).toEqual(expect.arrayContaining(['created_by', 'allowed_addresses', 'actor', 'details']));
  const silent = columns.filter((name) => !IMPERSONAL.includes(name) && !text.includes(`\`${name}\``));
  expect(silent).toEqual([]);
});

/** The cells of the table between the marks of this name. */
function tableRows(name: string): string[][] {
  const table = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)<!-- /${name} -->`).exec(text)?.[1] ?? '';
  const [, , ...rows] = table.trimEnd().split('\n');
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function codes(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

function migrations(): Migration[] {
  const folder = join(ROOT, 'lib/database/migrations');
  return readdirSync(folder)
    .filter((file) => /^\d{4}_/.test(file))
    .flatMap((file) => Object.values<Migration>(require(join(folder, file))))
    .filter(({ name }) => name !== undefined);
}

function textColumns({ creates }: Migration): string[] {
  const names: string[] = [];
  const column: object = new Proxy({}, { get: () => () => column });
  const table = new Proxy(
    {},
    {
      get: (_table, method) => (name: string) => {
        if (method === 'string' || method === 'text') names.push(name);
        return column;
      },
    },
  ) as never;
  for (const [name, define] of Object.entries(creates)) define(table, name, sqlite);
  return names;
}
