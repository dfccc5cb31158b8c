const { parseArgs } = require('node:util');
const { wholeNumber } = require('../arguments');
const { tables } = require('../tables');

const usage = `npm run bench:lists -- [--rows N] [--lists ${Object.keys(tables).slice(0, 3)}] [--rounds N] [--json]`;

const options = {
  rows: { type: 'string' },
  lists: { type: 'string' },
  rounds: { type: 'string', default: '5' },
  json: { type: 'boolean', default: false },
};

/** Parses the arguments. Throws with the usage if they are wrong. */
function readArguments(args) {
  try {
    const { values } = parseArgs({ args, options });
    const mostRows = values.rows === undefined ? Infinity : wholeNumber('rows', values.rows);
    const names = values.lists?.split(',') ?? Object.keys(tables);
    return {
      lists: names.map((name) => listOf(name, mostRows)),
      warmth: listOf('domains', mostRows),
      rounds: wholeNumber('rounds', values.rounds),
      json: values.json,
    };
  } catch (error) {
    throw new Error(`${error.message}\n\n${usage}`);
  }
}

function listOf(name, mostRows) {
  if (!Object.hasOwn(tables, name)) throw new Error(`There is no list ${name}.`);
  return { ...tables[name], name, rows: Math.min(tables[name].rows, mostRows) };
}

module.exports = { readArguments };
