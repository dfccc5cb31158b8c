const { parseArgs } = require('node:util');

/** How an argument is read: what it takes in the usage, and a function that throws if the text is wrong. */
const flag = { read: (given) => given };

const text = (takes) => ({ takes, read: (given) => given });

const wholeNumber = {
  takes: 'N',
  read(given, name) {
    const number = Number(given);
    if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} takes whole numbers from 1.`);
    return number;
  },
};

const wholeNumbers = {
  takes: 'N,N',
  read: (given, name) => given.split(',').map((each) => wholeNumber.read(each, name)),
};

const seconds = {
  takes: 'N',
  read(given, name) {
    const number = Number(given);
    if (!(number >= 0.1 && number <= 3600)) throw new Error(`--${name} takes a number from 0.1 to 3600.`);
    return number;
  },
};

/** Those of the names that are given, in their own order. */
const someOf = (all) => ({
  takes: all.join(),
  read(given, name) {
    const names = given.split(',');
    const unknown = names.find((each) => !all.includes(each));
    if (unknown !== undefined) throw new Error(`--${name} knows no "${unknown}", but ${all.join(', ')}.`);
    return all.filter((each) => names.includes(each));
  },
});

const oneOf = (all) => ({
  takes: all.join('|'),
  read(given, name) {
    if (!all.includes(given)) throw new Error(`--${name} knows no "${given}", but ${all.join(', ')}.`);
    return given;
  },
});

/** The values of the given arguments of an npm script. Throws with the usage. */
function readArguments(script, args, readers) {
  const options = mapped(readers, (_, { takes }) => ({ type: takes ? 'string' : 'boolean' }));
  try {
    return mapped(parseArgs({ args, options }).values, (name, given) => readers[name].read(given, name));
  } catch (error) {
    const usage = Object.entries(readers).map(
      ([name, { takes }]) => `[--${name}${takes ? ` ${takes}` : ''}]`,
    );
    const message = `${error.message}\n\nnpm run ${script} -- ${usage.join('\n  ')}`;
    throw new Error(message, { cause: error });
  }
}

const mapped = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(name, value)]));

module.exports = { flag, oneOf, readArguments, seconds, someOf, text, wholeNumber, wholeNumbers };
