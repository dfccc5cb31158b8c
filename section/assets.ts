import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Middleware } from 'koa';

const FILES = {
  'section.css': 'text/css; charset=utf-8',
  'section.js': 'text/javascript; charset=utf-8',
} as const;

/** A file that pages refer to, and what answers there. */
interface Asset {
  readonly path: string;
  readonly handler: Middleware;
}

/**
 * The stylesheet and the script of the pages. They are for everybody: nothing in them is secret, and the page for
 * whoever is refused needs them too.
 */
export const assets: readonly Asset[] = Object.entries(FILES).map(([name, type]) => {
  const body = readFileSync(join(__dirname, 'assets', name), 'utf8');
  const handler: Middleware = (ctx) => {
    ctx.status = 200;
    ctx.type = type;
    ctx.body = body;
  };
  return { path: `/assets/${name}`, handler };
});
