const { isDeepStrictEqual } = require('node:util');
const { ask } = require('./ask');

/** Throws unless all contestants return equal answers to the first, the middle and the last path. */
async function checkEquality({ compared }, servers) {
  const expected = await samples(servers[0], compared);
  for (const server of servers.slice(1)) {
    const actual = await samples(server, compared);
    expected.forEach((sample, index) => {
      if (isDeepStrictEqual(actual[index], sample)) return;
      throw new Error(
        `${server.label} and ${servers[0].label} answered with different bodies: ${difference(actual[index], sample)}`,
      );
    });
  }
}

async function samples(server, compared) {
  const { paths, tokens } = server.work;
  const indexes = new Set([0, Math.floor(paths.length / 2), paths.length - 1]);
  const bodies = [];
  for (const index of indexes) bodies.push(compared(await ask(server, paths[index], tokens[0])));
  return bodies;
}

/** The first value that differs, and its place. */
function difference(actual, expected, at = []) {
  const keys = new Set([...keysOf(actual), ...keysOf(expected)]);
  for (const key of keys) {
    if (isDeepStrictEqual(actual?.[key], expected?.[key])) continue;
    return difference(actual?.[key], expected?.[key], [...at, key]);
  }
  return `${at.join('.')} is ${JSON.stringify(actual)} and ${JSON.stringify(expected)}.`;
}

const keysOf = (value) => (typeof value === 'object' && value !== null ? Object.keys(value) : []);

module.exports = { checkEquality };
