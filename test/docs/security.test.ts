import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sqlite } from '../../lib/database/dialects/sqlite';
import { type Migration, tableNames } from '../../lib/database/migrations/tables';
import { proofs } from '../prove/proofs';
import { Page, ROOT } from './Page';

const { text } = new Page('SECURITY.md');
const tables = tableNames('panel_api_');

/** Columns of texts that say nothing about a person. */
const IMPERSONAL = ['scopes', 'action', 'origin', 'endpoint', 'value'];

test('the security policy names every proof and its promise', () => {
  const rows = proofs.map(({ name, promise }) => `| \`${name}\` | ${promise} |`);
  expect(/<!-- proofs -->\n([\s\S]*?)<!-- \/proofs -->/.exec(text)?.[1]?.split('\n')).toEqual([
    '| proof | promise |',
    '| --- | --- |',
    ...rows,
    '',
  ]);
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

function migrations(): Migration[] {
  const folder = join(ROOT, 'lib/database/migrations');
  return readdirSync(folder)
    .filter((file) => /^\d{4}_/.test(file))
    .flatMap((file) => Object.values<Migration>(require(join(folder, file))))
    .filter(({ name }) => name !== undefined);
}

function textColumns({ creates, extends: extensions }: Migration): string[] {
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
  for (const define of Object.values(creates?.(tables, sqlite) ?? {})) define(table);
  for (const { columns = {} } of Object.values(extensions?.(tables) ?? {})) {
    for (const [name, add] of Object.entries(columns)) add(table, name);
  }
  return names;
}
