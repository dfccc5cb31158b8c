import type { OwnAnswers } from './testsOfEveryHost';

/** A panel of the tests. */
export interface Host extends OwnAnswers {
  /** The file of `panels`, and its arguments. */
  readonly file: string;
  readonly args?: readonly string[];
}

/** It answers for a path that cannot be decoded. */
const BROKEN = { '/api/v1/%zz': 400 };
/** Next redirects from paths with such slashes before it looks for a page. */
const NEXT = { '/api/v1/': 308, '/api/v1/me.php/': 308, '/api/v1//me.php': 308, ...BROKEN };
const NEXT_PAGES = { 404: '__NEXT_DATA__', 500: '__NEXT_DATA__' };

/** The panels in which the module is mounted, by their names. */
export const HOSTS: Readonly<Record<string, Host>> = {
  'Koa 3': { file: 'koa', args: ['koa'] },
  'Koa 2': { file: 'koa', args: ['koa2'] },
  http: { file: 'http' },
  'http with Request and Response': { file: 'httpRequests', answers: { TRACE: 400 } },
  'Express 5': { file: 'express', args: ['express'] },
  'Express 5 below body parsers': { file: 'express', args: ['express', '/', 'yes'] },
  'Express 5 at the path /api/v1': { file: 'express', args: ['express', '/api/v1'] },
  'Express 5 at the path /api': { file: 'express', args: ['express', '/api'] },
  'Express 4': { file: 'express', args: ['express4'] },
  'Express 4 below body parsers': { file: 'express', args: ['express4', '/', 'yes'] },
  'Fastify 5 with middie': { file: 'fastify', answers: BROKEN },
  'Fastify 5': { file: 'fastifyAlone', answers: BROKEN },
  Hono: { file: 'hono' },
  'Hono with Request and Response': { file: 'honoRequests' },
  'Nest 12 over Express': { file: 'nest', args: ['express'] },
  'Nest 12 over Fastify': { file: 'nest', args: ['fastify'], answers: BROKEN },
  'Nitro 2 over h3 1, the server of Nuxt': { file: 'nitro', args: ['nitroHandlers'] },
  'Nitro 2 with Request and Response': {
    file: 'nitro',
    args: ['nitroRequests'],
    answers: { TRACE: 500 },
    hidesLeaving: true,
  },
  'h3 2': { file: 'h3', answers: BROKEN },
  'h3 2 with Request and Response': { file: 'h3Requests', answers: BROKEN },
  "Next's pages": { file: 'next', args: ['pages'], answers: NEXT, pages: NEXT_PAGES },
  "Next's App Router": {
    file: 'next',
    args: ['app'],
    answers: { ...NEXT, PURGE: 400, TRACE: 500 },
    pages: { ...NEXT_PAGES, 404: '__next_f' },
    replacesHeaders: true,
  },
  'a custom server of Next': { file: 'next', args: ['server'], pages: NEXT_PAGES },
  'React Router 8': { file: 'reactRouter', answers: { PURGE: 405, TRACE: 500 } },
  // SvelteKit refuses such a method without the Origin of the panel, unless the type of the body is that of no form.
  'SvelteKit 3': {
    file: 'svelteKit',
    answers: { POST: 403, DELETE: 403, TRACE: 400 },
    pages: { 404: '__sveltekit' },
  },
};
