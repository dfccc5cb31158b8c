const { readFile } = require('node:fs/promises');
const { setTimeout: sleep } = require('node:timers/promises');
const { deepStrictEqual } = require('node:assert');

/** Asks a server. Without a token the request has no Authorization header. */
async function ask({ url }, path, token, headers = {}) {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetch(`${url}/api/v1/${path}`, { headers: { ...authorization, ...headers } });
}

/** The body of an answer. */
async function readAnswer(server, path, token) {
  const response = await ask(server, path, token);
  if (response.status !== 200) throw new Error(`${server.label} answered ${path} with ${response.status}.`);
  return response.json();
}

/** Throws unless all contestants return equal answers to the first, the middle and the last path. */
async function checkEquality({ compared }, servers) {
  const samples = async (server) => {
    const { paths, token } = server;
    const indexes = new Set([0, Math.floor(paths.length / 2), paths.length - 1]);
    const bodies = [];
    for (const index of indexes) bodies.push(compared(await readAnswer(server, paths[index], token)));
    return bodies;
  };
  const expected = await samples(servers[0]);
  for (const server of servers.slice(1)) {
    const pair = `${server.label} and ${servers[0].label}`;
    const actual = await samples(server);
    await promised(`${pair} answered with different bodies`, () => deepStrictEqual(actual, expected));
  }
}

/** Runs a check; its error begins with the text. */
async function promised(text, check) {
  try {
    await check();
  } catch (error) {
    throw new Error(`${text}: ${error.message}`, { cause: error });
  }
}

const logFields =
  `address bytes error_code level message method milliseconds request_id route status timestamp
  token_id token_name`.split(/\s+/);

/** Throws unless a contestant keeps the promises whose cost is measured. */
async function checkPromises(server, database) {
  const promises = { refusals, validator, headersAndLog, limit, lastUse };
  for (const [name, keeps] of Object.entries(promises))
    await promised(`${server.label} breaks a promise (${name})`, () => keeps(server, database));
}

async function refusals(server, database) {
  const narrow = await database.createToken({ scopes: ['domains.read'] });
  const codes = [];
  for (const token of [undefined, 'pnl_unknown', narrow]) {
    const response = await ask(server, 'me.php', token);
    const { success, error } = await response.json();
    codes.push([response.status, success, error.code]);
  }
  deepStrictEqual(codes, [
    [401, false, 'token_missing'],
    [401, false, 'token_unknown'],
    [403, false, 'scope_missing'],
  ]);
}

/** A client that has the data is answered with 304. */
async function validator(server, { tokens: [token] }) {
  const path = 'domains.php?account_id=1';
  const first = await ask(server, path, token);
  await first.arrayBuffer();
  const again = await ask(server, path, token, {
    'if-none-match': first.headers.get('etag'),
    // fetch would add no-cache.
    'cache-control': 'max-age=0',
  });
  deepStrictEqual([again.status, (await again.arrayBuffer()).byteLength], [304, 0]);
}

async function headersAndLog(server, { tokens: [token] }) {
  const response = await ask(server, 'me.php', token);
  const length = (await response.arrayBuffer()).byteLength;
  const { headers } = response;
  const sent = ['cache-control', 'x-content-type-options', 'content-type', 'content-length'].map((name) =>
    headers.get(name),
  );
  deepStrictEqual(sent, ['no-store', 'nosniff', 'application/json; charset=utf-8', String(length)]);
  if (!/^"default";r=\d+;t=\d+$/.test(headers.get('ratelimit'))) throw new Error('RateLimit is missing.');
  const line = await eventually(async () => {
    const lines = (await readFile(server.logFile, 'utf8')).trim().split('\n');
    return lines
      .map((text) => JSON.parse(text))
      .find((each) => each.request_id === headers.get('x-request-id'));
  });
  deepStrictEqual(Object.keys(line).toSorted(), logFields);
  deepStrictEqual([line.status, line.bytes, line.token_name], [200, length, 'Benchmark']);
}

/** Of five requests at once with a limit of three, exactly three are answered. */
async function limit(server, database) {
  const minute = () => Math.floor(Date.now() / 60_000);
  for (;;) {
    const began = minute();
    const token = await database.createToken({ rateLimit: 3 });
    const asked = Array.from({ length: 5 }, () => ask(server, 'me.php', token));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    // A window may have ended in between.
    if (minute() !== began) continue;
    deepStrictEqual(statuses.toSorted(), [200, 200, 200, 429, 429]);
    return;
  }
}

async function lastUse(server, database) {
  const name = `Used by ${server.name} ${performance.now()}`;
  await ask(server, 'me.php', await database.createToken({ name }));
  await eventually(async () => (await database.findToken(name)).last_used_at !== null);
}

/** Resolves with the first true value that the task returns, within two seconds. */
async function eventually(task) {
  for (let attempts = 0; attempts < 100; attempts += 1) {
    const value = await task().catch(() => undefined);
    if (value) return value;
    await sleep(20);
  }
  throw new Error('it did not happen within two seconds.');
}

module.exports = { checkEquality, checkPromises, readAnswer };
