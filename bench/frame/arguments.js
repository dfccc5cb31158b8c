const { parseArgs } = require('node:util');

/** How an argument is read: each function takes its text and its name, and throws if the text is wrong. */
const text = (given) => given;

function wholeNumber(given, name) {
  const number = Number(given);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} takes whole numbers from 1.`);
  return number;
}

function seconds(given, name) {
  const number = Number(given);
  if (!(number >= 0.1 && number <= 3600)) throw new Error(`--${name} takes a number from 0.1 to 3600.`);
  return number;
}

const several = (read) => (given, name) => given.split(',').map((each) => read(each, name));

/** Those of the names that are given, in their own order. */
const someOf = (all) => (given, name) => {
  const names = given.split(',');
  const unknown = names.find((each) => !all.includes(each));
  if (unknown !== undefined) throw new Error(`--${name} knows no "${unknown}", but ${all.join(', ')}.`);
  return all.filter((each) => names.includes(each));
};

/**
 * The values of the given arguments. `readers` has a function for each argument, and `Boolean` for one without a value.
 * Throws with the usage.
 */
function readArguments(args, usage, readers) {
  const options = Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [name, { type: read === Boolean ? 'boolean' : 'string' }]),
  );
  try {
    const given = Object.entries(parseArgs({ args, options }).values);
    return Object.fromEntries(given.map(([name, value]) => [name, readers[name](value, name)]));
  } catch (error) {
    throw new Error(`${error.message}\n\n${usage}`, { cause: error });
  }
}

module.exports = { readArguments, seconds, several, someOf, text, wholeNumber };
