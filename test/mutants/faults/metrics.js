/** Faults of the metrics. ../mutants.js says what a row holds. */
exports.faults = [
  {
    name: 'metrics of another account',
    breaks: 'A reading is shared only by tokens that may see the same rows.',
    text: 'JSON.stringify([reading.name, identity])',
    replacement: 'JSON.stringify([reading.name])',
    test: 'judges the token afresh while it shows a reading again',
  },
  {
    name: 'metrics of every scope',
    breaks: 'A scrape shows only the lists of the scopes of its token.',
    text: 'inTime(authorizeRead(request,',
    replacement: "inTime(authorizeRead({ ...request, token: { ...request.token, scopes: ['*'] } },",
    test: 'shows a token the lists of its scopes, and names the scopes that would show something',
  },
  {
    name: 'reading without an end',
    breaks: 'A reading that never ends is given up, and does not block the next ones for ever.',
    text: 'withTimeout(read(begin), patienceMs)',
    replacement: 'withTimeout(read(begin), 600_000)',
    test: 'that never ends is given up, and repeated later',
  },
  {
    name: 'slow list at each scrape',
    breaks: 'A list that takes long is not read at each scrape.',
    text: 'const rest = tookMs > SLOW_MS ? tookMs * (1 + SLOW_REST) : 0;',
    replacement: 'const rest = 0;',
    test: 'that took over a second is repeated only after sixty times as long',
  },
  {
    name: 'raw label',
    breaks: 'No value of a row ends its label, or its line.',
    text: 'escaped(labelValue(value), /[\\\\\\n"]/g)',
    replacement: 'labelValue(value)',
    test: 'is written as one label',
  },
  {
    name: 'metrics below the API',
    breaks: 'The metrics hide no endpoint.',
    text: '(?!${API_PATH}(?:/|$))',
    replacement: '',
    test: 'is refused at once with',
  },
  {
    name: 'kept for ever',
    breaks: 'Readings leave the memory where it was.',
    text: 'if (until <= now) readings.delete(key);',
    replacement: 'void until;',
    test: 'Readings that are too old are forgotten, however many accounts were read',
  },
  {
    name: 'reading of an account that came meanwhile',
    breaks: 'Tokens of the same accounts share a reading only if they have the same binding.',
    text: 'owners.key + accounts.identity',
    replacement: 'accounts.identity',
    test: 'A reading during which an account came to a token is not shown to a token of the others',
  },
];
