/** Faults of HTTP and the log. ../mutants.js says what a row holds. */
exports.faults = [
  {
    name: 'error text in the log',
    breaks: 'Nothing of the text of an error is logged.',
    text: 'printable(cause.name, 64)',
    replacement: 'printable(String(cause.message), 64)',
    test: 'answers 503 within the deadline if enabled',
  },
  {
    name: 'logger',
    breaks: "A panel's logger that throws harms no request.",
    text: `} catch {
      this.#lose();`,
    replacement: `} catch (error) {
      throw error;`,
    test: 'answers as usual if its logger',
  },
  {
    name: 'no-store',
    breaks: 'No cache keeps an answer.',
    text: "ctx.set('Cache-Control', 'no-store');",
    replacement: '',
    test: 'forbids caches to keep any answer',
  },
  {
    name: 'closed JSON',
    breaks: 'A list that fails half-way breaks the connection instead of ending as if it were whole.',
    text: 'breakOff(ctx);',
    replacement: "ctx.res.end(']}}');",
    test: 'half-way breaks off for the client, and the log says why',
    on: 'postgresql',
  },
  {
    name: 'deadline',
    breaks: 'A request is answered within the deadline, whatever it waits for.',
    text: 'withTimeout(next(), deadlineMs,',
    replacement: 'withTimeout(next(), 60_000,',
    test: 'answers 503 within the deadline if enabled',
  },
  {
    name: 'second credentials',
    breaks: 'A request with several Authorization headers is refused.',
    text: "if (sent > 1) return '';",
    replacement: '',
    test: 'answers with fixed words, serves only the live token, and writes one line for each request',
  },
  {
    name: 'second credentials over HTTP/2',
    breaks: 'A request with several Authorization headers is refused over HTTP/2 too.',
    text: 'const { rawHeaders } = ctx.req;',
    // Requests over HTTP/2 have no such property.
    replacement:
      "const rawHeaders = (ctx.req.headersDistinct?.authorization ?? []).flatMap((sent) => ['authorization', sent]);",
    test: 'serves only the live token, with fixed words and one line for each request that reaches it',
  },
  {
    name: 'refused HEAD',
    breaks: 'HEAD is answered as GET, without the body.',
    text: "new Set(['GET', 'HEAD'])",
    replacement: "new Set(['GET'])",
    test: 'answers hostile input over both alike, and HEAD as GET without the body',
  },
  {
    name: 'any scheme',
    breaks: 'A token is taken only from credentials with the scheme Bearer.',
    text: '/^bearer +(\\S.*)$/i',
    replacement: '/^\\w+ +(\\S.*)$/i',
    test: 'serves a request only with the token itself, and repeats no other',
  },
  {
    name: 'unknown path',
    breaks: 'Every path below the prefix is answered by the module.',
    text: "router.all(['/', '{/*path}']",
    replacement: "router.all(['/']",
    test: 'answers any path and method below the prefix with the envelope',
  },
  {
    name: 'client that left',
    breaks: 'A request whose client leaves before the answer is sent has a log line.',
    text: 'ends.delete(end);\n        resolve();',
    replacement: 'ends.delete(end);\n        if (ctx.res.writableFinished) resolve();',
    test: 'logs each request once if the client leaves at any moment before its answer',
  },
  {
    name: 'mount path',
    breaks: 'The paths in the answers are those below which the panel mounted the API.',
    text: "whole.endsWith(request.path) ? whole.slice(0, -request.path.length) : ''",
    replacement: 'whole.slice(0, 0)',
    test: 'every answer is the one that the module gives alone',
  },
  {
    name: 'types of the tests',
    breaks: 'The declarations refer only to packages that a host installs.',
    text: 'export type PanelApiOptions = MountOptions<Sources>;',
    replacement: `export type PanelApiOptions = MountOptions<Sources> & {
      readonly arbitrary?: import('fast-check').Arbitrary<unknown>;
    };`,
    test: 'in every kind of module',
  },
  {
    name: 'one installation',
    breaks: 'Two mounts in one process share nothing but what they have in common in the database.',
    text: `const installation = createInstallation(options, operations);
  const { tokens, audit, settings, usage, log } = installation;`,
    replacement: `const kept = globalThis as { installation?: ReturnType<typeof createInstallation> };
  const installation = (kept.installation ??= createInstallation(options, operations));
  const { tokens, audit, settings, usage, log } = installation;`,
    test: 'over two databases share nothing',
    on: 'sqlite',
  },
  {
    name: 'write',
    breaks: 'The endpoints answer no method that writes.',
    text: "new Set(['GET', 'HEAD'])",
    replacement: "new Set(['GET', 'HEAD', 'PATCH'])",
    test: 'with 405 and the methods that are allowed',
  },
  {
    name: 'whole list over HTTP/2',
    breaks: 'A list that fails half-way over HTTP/2 ends with an error of its stream.',
    text: 'stream.close(constants.NGHTTP2_INTERNAL_ERROR)',
    replacement: 'stream.end()',
    test: 'that fails half-way ends with a stream error',
  },
  {
    name: 'answer without an end',
    breaks: 'A list whose process is killed while it is sent does not look whole.',
    text: '      await send(head);',
    replacement: '      ctx.res.useChunkedEncodingByDefault = false;\n      await send(head);',
    test: 'leaves no client a whole answer with rows missing, and each token its audit entry',
    on: 'mariadb',
  },
  {
    name: 'lines in memory',
    breaks: 'A logger that cannot write its lines does not fill the memory of the process.',
    text: 'if (kept(this.#logger) >= MOST_KEPT) this.#lose();',
    replacement: 'if (kept(this.#logger) < 0) this.#lose();',
    test: 'gives no more lines to a logger of winston that keeps ten thousand in memory',
  },
  {
    name: 'cached error',
    breaks: 'No cache keeps an error.',
    text: "ctx.set('Cache-Control', 'no-store');",
    replacement: "if (request.error === null) ctx.set('Cache-Control', 'no-store');",
    test: 'forbids caches to keep any answer',
  },
  {
    name: 'patience with a stream',
    breaks: 'A list whose database freezes half-way is cut off within the deadline.',
    text: 'await withTimeout(stream.next(), patienceMs, deadlineError)',
    replacement: 'await stream.next()',
    test: 'half-way breaks the answer off',
  },
];
