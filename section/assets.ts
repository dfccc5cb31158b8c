import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageRoute } from './Page';

const FILES = {
  'section.css': 'text/css; charset=utf-8',
  'section.js': 'text/javascript; charset=utf-8',
} as const;

/** The stylesheet and the script of the pages. */
export const assets: readonly PageRoute[] = Object.entries(FILES).map(([name, type]) => {
  const body = readFileSync(join(__dirname, 'assets', name), 'utf8');
  return { method: 'get', path: `/assets/${name}`, handler: async () => ({ type, body }) };
});
