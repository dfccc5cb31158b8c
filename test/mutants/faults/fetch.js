/** Faults of the fetcher, for panels that answer a Request with a Response. ../mutants.js says what a row holds. */
exports.faults = [
  {
    name: 'part of a list that looks whole',
    breaks: 'A broken answer of the fetcher never looks whole.',
    text: "this.#body?.error(new Error('The answer was broken off.'));",
    replacement: 'this.#body?.close();',
    test: 'logs a client whose signal is aborted in a long list, and breaks the body off',
  },
  {
    name: 'room of a reader',
    breaks: 'The fetcher writes no more of a list than its reader has room for.',
    text: 'else this.#written = written;',
    replacement: 'else written();',
    test: 'holds no more of a long list than its reader has room for',
  },
  {
    name: 'request without an address',
    breaks: 'The fetcher answers no request of which the panel does not say from where it came.',
    text: "if (!('address' in info)) throw log.misuse(NO_ADDRESS);",
    replacement: '',
    test: 'refuses a request without an address, and the log says once how to pass it',
  },
  {
    name: 'protocol of a URL',
    breaks: 'The fetcher takes the protocol from the connection.',
    text: 'this.encrypted = secure;',
    replacement: 'this.encrypted = true;',
    test: 'takes the protocol from the connection, not from the URL',
  },
  {
    name: 'body of the panel',
    breaks: "The fetcher leaves the panel's own requests alone.",
    text: 'const originalUrl = (pathOfClient',
    replacement: 'void request.text();\n    const originalUrl = (pathOfClient',
    test: 'and leaves its body alone',
  },
  {
    name: 'body that was read',
    breaks: 'The fetcher says why it refuses a request of which the panel has read the body.',
    text: 'if (request.bodyUsed || request.body?.locked) throw log.misuse(BODY_READ);',
    replacement: '',
    test: 'of which the panel has read the body, with that reason',
  },
  {
    name: 'socket of a body that was not read',
    breaks: 'No request ends the process.',
    text: "if (!stream && socket && 'delivered' in socket)",
    replacement: "if (!stream && 'delivered' in ctx.req.socket)",
    test: 'is refused, with one line in the log',
  },
  {
    name: 'changed headers',
    breaks: 'The check own_address names the headers that something in between has changed.',
    text: 'changed.length > 0',
    replacement: 'changed.length > 9',
    test: 'warns if something in between',
  },
];
