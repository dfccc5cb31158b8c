import { createHash } from 'node:crypto';
import { once } from 'node:events';
import Koa from 'koa';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { startPanel, type TestPanel } from '../fixture/panel';
import { createPanelTables } from '../fixture/panelTables';

describe('The request log', () => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeEach(async () => {
    database = await freshDatabase('sqlite');
    await createPanelTables(database.knex);
    panel = await startPanel({ db: database.knex });
  });

  test('has one line for each request, answered or refused', async () => {
    const token = await panel.token({ name: 'billing', scopes: ['domains.read'] });
    for (const path of ['/me.php', '/domains.php', '/nope', '/domains.php?x=1'])
      await panel.get(`/api/v1${path}`, token);
    await panel.get('/api/v1/domains.php');
    await panel.get('/api/v1/domains.php', token, { method: 'POST' });
    const lines = await panel.requestLines(6);
    expect(
      lines.map(({ fields }) => [fields.method, fields.route, fields.status, fields.error_code]),
    ).toEqual([
      ['GET', '/api/v1/me.php', 403, 'scope_missing'],
      ['GET', '/api/v1/domains.php', 200, null],
      ['GET', null, 404, 'not_found'],
      ['GET', '/api/v1/domains.php', 400, 'query_invalid'],
      ['GET', '/api/v1/domains.php', 401, 'token_missing'],
      ['POST', '/api/v1/domains.php', 405, 'method_not_allowed'],
    ]);
  });

  test('names the request, the token, the time it took, the bytes and the address', async () => {
    const token = await panel.token({ name: 'billing' });
    const { headers, text } = await panel.get('/api/v1/domains.php', token);
    const [line] = await panel.requestLines(1);
    expect(line?.fields).toEqual({
      request_id: headers.get('x-request-id'),
      token_id: 1,
      token_name: 'billing',
      method: 'GET',
      route: '/api/v1/domains.php',
      status: 200,
      error_code: null,
      milliseconds: expect.any(Number),
      bytes: Buffer.byteLength(text),
      address: '127.0.0.1',
    });
  });

  test('has no bytes for an answer to HEAD, which has no body', async () => {
    const token = await panel.token();
    await panel.get('/api/v1/me.php', token, { method: 'HEAD' });
    const [line] = await panel.requestLines(1);
    expect(line?.fields).toMatchObject({ method: 'HEAD', status: 200, bytes: 0 });
  });

  test('has a line for a client that had left before the panel handed the request on', async () => {
    const leaving = new AbortController();
    const slow = new Koa();
    slow.use(async (ctx, next) => {
      const left = once(ctx.res, 'close');
      leaving.abort();
      await left;
      await next();
    });
    const host = await startPanel({ db: database.knex }, slow);
    await expect(fetch(`${host.url}/api/v1/me.php`, { signal: leaving.signal })).rejects.toThrow('aborted');
    const lines = await host.requestLines(1);
    await host.close();
    expect(lines.map(({ fields }) => [fields.route, fields.status, fields.aborted, fields.bytes])).toEqual([
      ['/api/v1/me.php', null, true, 0],
    ]);
  });

  test('is at level info for faults of the client and at level error for faults of the server', async () => {
    await panel.get('/api/v1/me.php');
    const token = await panel.token();
    await database.knex.schema.dropTable('panel_api_rate_limits');
    expect((await panel.get('/api/v1/me.php', token)).status).toBe(503);
    const lines = await panel.requestLines(2);
    expect(lines.map(({ level }) => level)).toEqual(['info', 'error']);
    expect(lines[1]?.fields).toMatchObject({ cause: 'SQLITE_ERROR', cause_query: 'limiter.count' });
  });

  test('escapes control characters in the name of a token', async () => {
    const token = await panel.token();
    // An earlier version accepted such a name.
    await database.knex('panel_api_tokens').update({ name: 'a\u001b[31m\u009b\u202e\nb' });
    await panel.get('/api/v1/me.php', token);
    const [line] = await panel.requestLines(1);
    expect(line?.fields.token_name).toBe('a\\u{1b}[31m\\u{9b}\\u{202e}\\u{a}b');
  });

  test('names the token of a request that was refused because it is revoked', async () => {
    const { token, record } = await panel.api.tokens.create(
      { name: 'gone', scopes: ['*'] },
      { actor: 'a', origin: 'panel' },
    );
    await panel.api.tokens.revoke(record.id, { actor: 'a', origin: 'panel' });
    await panel.get('/api/v1/me.php', token);
    expect((await panel.requestLines(1))[0]?.fields).toMatchObject({
      token_name: 'gone',
      error_code: 'token_revoked',
    });
  });

  test('never holds a token, its hash, a query string or a path that is no endpoint', async () => {
    const token = await panel.token();
    const hash = createHash('sha256').update(token).digest();
    await panel.get(`/api/v1/me.php?token=${token}`, token);
    await panel.get(`/api/v1/${token}`, token);
    await panel.get('/api/v1/me.php', `${token}x`);
    const text = JSON.stringify(await panel.requestLines(3));
    for (const secret of [token, token.slice(10, 40), hash.toString('hex'), hash.toString('base64')]) {
      expect(text).not.toContain(secret);
    }
  });

  test.each([
    ['', ''],
    ['job-1.', '.retry'],
    ['', '7'],
    ['x'.repeat(60), ''],
    ['id_', '_1'],
  ])('ignores the id of a request that contains a token between "%s" and "%s"', async (before, after) => {
    const token = await panel.token();
    const { headers } = await panel.get('/api/v1/me.php', undefined, {
      headers: { 'X-Request-Id': before + token + after },
    });
    expect(headers.get('x-request-id')).not.toContain(token);
    expect(JSON.stringify(await panel.requestLines(1))).not.toContain(token);
  });

  test.each([
    ['', ''],
    ['job-1.', '.retry'],
    ['x', ''],
    ['00', '01'],
    ['a'.repeat(41), 'B'.repeat(41)],
  ])(
    'ignores the id of a request that contains a token without its prefix between "%s" and "%s"',
    async (before, after) => {
      const secret = (await panel.token()).slice('pnl_'.length);
      const { headers } = await panel.get('/api/v1/me.php', undefined, {
        headers: { 'X-Request-Id': before + secret + after },
      });
      expect(headers.get('x-request-id')).not.toContain(secret);
      expect(JSON.stringify(await panel.requestLines(1))).not.toContain(secret);
    },
  );

  test('ignores the id of a request that contains a token without the prefix that the mount chose', async () => {
    const other = await startPanel({ db: database.knex, tokenPrefix: 'acme9' });
    const secret = (await other.token()).slice('acme9_'.length);
    const { headers } = await other.get('/api/v1/me.php', undefined, { headers: { 'X-Request-Id': secret } });
    expect(headers.get('x-request-id')).not.toBe(secret);
    expect(JSON.stringify(await other.requestLines(1))).not.toContain(secret);
    await other.close();
  });

  test.each([
    '0af7651916cd43dd8448eb211c80319c',
    `job_${'a'.repeat(40)}`,
    'a_b_c',
    'e'.repeat(128),
    // As long as a token without its prefix, but with another checksum.
    'A1'.repeat(23),
    // As long as a hash. The proof `secrets` looks for those with more different digits.
    'deadbeef'.repeat(8),
  ])('accepts the id %s, which contains no token', async (id) => {
    const { headers } = await panel.get('/api/v1/me.php', undefined, { headers: { 'X-Request-Id': id } });
    expect(headers.get('x-request-id')).toBe(id);
  });

  test('hides a token in the name of a token', async () => {
    const token = await panel.token();
    // An earlier version accepted such a name.
    await database.knex('panel_api_tokens').update({ name: `not ${token}` });
    await panel.get('/api/v1/domains.php', token);
    expect((await panel.requestLines(1))[0]?.fields.token_name).toBe('not …');
    await database.knex('panel_api_tokens').update({ name: `not ${token.slice('pnl_'.length)}!` });
    await panel.get('/api/v1/domains.php', token);
    expect((await panel.requestLines(2))[1]?.fields.token_name).toBe('not …!');
  });

  test('is not at level error for refusals that the administrator intends', async () => {
    const off = await startPanel({ db: database.knex, enabled: false });
    await off.get('/api/v1/me.php');
    expect((await off.requestLines(1))[0]).toMatchObject({ level: 'info', fields: { status: 503 } });
    await off.close();
  });

  test('says where an error of the panel arose, without its message', async () => {
    const enabled = () => {
      throw new Error('password=hunter2');
    };
    const other = await startPanel({ db: database.knex, enabled });
    expect((await other.get('/api/v1/me.php')).status).toBe(503);
    const [line] = await other.requestLines(1);
    expect(line?.fields).toMatchObject({
      cause: 'Error',
      cause_at: expect.stringMatching(/requestLog\.test/),
    });
    expect(JSON.stringify(other.log)).not.toContain('hunter2');
    await other.close();
  });

  test('names the field of a row that cannot be read', async () => {
    const token = await panel.token();
    await database.knex.schema.dropTable('jobs');
    await database.knex.raw('CREATE TABLE jobs (id VARCHAR(8), type VARCHAR(8), status VARCHAR(8))');
    await database.knex('jobs').insert({ id: null, type: 'a', status: 'b' });
    expect((await panel.get('/api/v1/jobs.php', token)).status).toBe(500);
    expect((await panel.requestLines(1))[0]?.fields).toMatchObject({
      cause: 'UnreadableRow',
      cause_field: 'id',
    });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('full'))],
  ])('loses no answer if the logger %s, and health reports it', async (_, info) => {
    const logger = { info, warn: info, error: info };
    const other = await startPanel({ db: database.knex, logger });
    const token = await other.token();
    expect((await other.get('/api/v1/me.php', token)).status).toBe(200);
    const { body } = await other.get('/api/v1/health.php', token);
    expect(body.data.checks).toContainEqual(expect.objectContaining({ name: 'log', status: 'warn' }));
    await other.close();
  });

  test('says, without the message of the error, that a request could not be counted', async () => {
    const token = await panel.token();
    jest.spyOn(panel.api.usage, 'count').mockImplementation(() => {
      throw new RangeError('hunter2');
    });
    expect((await panel.get('/api/v1/me.php', token)).status).toBe(200);
    await panel.requestLines(1);
    expect(panel.log).toContainEqual({
      level: 'warn',
      message: 'panel-api request listener failed',
      fields: { cause: 'RangeError', cause_at: expect.stringMatching(/requestLog\.test/) },
    });
    expect(JSON.stringify(panel.log)).not.toContain('hunter2');
  });
});
