/** Faults of the limiters. ../mutants.js says what a row holds. */
exports.faults = [
  {
    name: 'limit of the store',
    breaks: 'The limit is that of the token, and not one of the store that counts.',
    text: 'points: Number.MAX_SAFE_INTEGER',
    replacement: 'points: 1',
    test: 'allows exactly as many requests of each token as it states',
  },
  {
    name: 'shared limit',
    breaks: 'Each token has a limit of its own.',
    text: 'store.consume(`${id}:${windowSeconds}`',
    replacement: 'store.consume(`${windowSeconds}`',
    test: 'allows exactly as many requests of each token as it states',
  },
  {
    name: 'patience with Redis',
    breaks: 'A Redis that does not answer makes no request wait.',
    text: 'inTime(redis.count(token, windowSeconds)).catch(',
    replacement: 'redis.count(token, windowSeconds).catch(',
    test: 'names the time limit of Redis in the log',
  },
  {
    name: 'window without an end',
    breaks: 'A window ends, however often its token is used meanwhile.',
    text: 'const secondsLeft = Math.max(1, Math.ceil(msBeforeNext / 1000));',
    replacement: `const { client, keyPrefix } = store as any;
    await client?.pexpire?.(keyPrefix + ':' + id + ':' + windowSeconds, windowSeconds * 1000);
    const secondsLeft = Math.max(1, Math.ceil(msBeforeNext / 1000));`,
    test: 'is served once in each window while its ends pass',
  },
  {
    name: 'answer of no count',
    breaks: 'A request is not served if its count is no number.',
    text: 'if (counts.length !== added.size || !counts.every(isCount))',
    replacement: 'if (false)',
    test: 'if any call to the database fails',
  },
  {
    name: 'count of another token',
    breaks: 'A token never gets the count of another one.',
    text: 'counts.length !== added.size || ',
    replacement: '',
    test: 'get their counts from a second statement',
  },
];
