const { readFile } = require('node:fs/promises');
const { setTimeout: sleep } = require('node:timers/promises');
const { deepStrictEqual, match } = require('node:assert');

/** An answer of a server. Without a token the request has no Authorization header. */
async function ask({ url }, path, token, more = {}) {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/v1/${path}`, { headers: { ...authorization, ...more } });
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}

/** The body of an answer. */
async function readAnswer(server, path, token) {
  const { status, text } = await ask(server, path, token);
  if (status !== 200) throw new Error(`${server.label} answered ${path} with ${status}.`);
  return JSON.parse(text);
}

/** Throws unless all contestants return equal answers to the first, the middle and the last path. */
async function checkEquality({ compared }, servers) {
  const samples = async (server) => {
    const { paths, token } = server;
    const indexes = [...new Set([0, Math.floor(paths.length / 2), paths.length - 1])];
    return Promise.all(indexes.map(async (index) => compared(await readAnswer(server, paths[index], token))));
  };
  const expected = await samples(servers[0]);
  for (const server of servers.slice(1)) {
    const actual = await samples(server);
    await promised(`${server.label} and ${servers[0].label} answered with different bodies`, () =>
      deepStrictEqual(actual, expected),
    );
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

const logFields = (
  'address bytes error_code level message method milliseconds request_id route status timestamp ' +
  'token_id token_name'
).split(' ');

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
    const { status, text } = await ask(server, 'me.php', token);
    const { success, error } = JSON.parse(text);
    codes.push([status, success, error.code]);
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
  const { headers } = await ask(server, path, token);
  // fetch would add no-cache.
  const more = { 'if-none-match': headers.get('etag'), 'cache-control': 'max-age=0' };
  const { status, text } = await ask(server, path, token, more);
  deepStrictEqual([status, text], [304, '']);
}

async function headersAndLog(server, { tokens: [token] }) {
  const { headers, text } = await ask(server, 'me.php', token);
  const bytes = Buffer.byteLength(text);
  const sent = ['cache-control', 'x-content-type-options', 'content-type', 'content-length'];
  deepStrictEqual(
    sent.map((name) => headers.get(name)),
    ['no-store', 'nosniff', 'application/json; charset=utf-8', String(bytes)],
  );
  match(headers.get('ratelimit'), /^"default";r=\d+;t=\d+$/);
  const line = await eventually(async () => {
    const lines = (await readFile(server.logFile, 'utf8'))
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each));
    return lines.find(({ request_id: id }) => id === headers.get('x-request-id'));
  });
  deepStrictEqual(Object.keys(line).toSorted(), logFields);
  deepStrictEqual([line.status, line.bytes, line.token_name], [200, bytes, 'Benchmark']);
}

/** Of five requests at once with a limit of three, exactly three are answered. */
async function limit(server, database) {
  const minute = () => Math.floor(Date.now() / 60_000);
  let statuses;
  let began;
  do {
    began = minute();
    const token = await database.createToken({ rateLimit: 3 });
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ask(server, 'me.php', token)));
    statuses = answers.map(({ status }) => status).toSorted();
    // A window may have ended in between.
  } while (minute() !== began);
  deepStrictEqual(statuses, [200, 200, 200, 429, 429]);
}

async function lastUse(server, database) {
  const token = await database.createToken();
  await ask(server, 'me.php', token);
  await eventually(() => database.isUsed(server, token));
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
