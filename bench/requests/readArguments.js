const { parseArgs } = require('node:util');
const { chosen } = require('../arguments/chosen');
const { wholeNumber } = require('../arguments/wholeNumber');
const { contestants } = require('./contestants');
const { loads } = require('./loads');

const usage = `npm run bench -- [--loads A,B] [--contestants A,B] [--seconds N] [--rounds N] [--json]

loads: ${Object.keys(loads).join(', ')}
contestants: ${Object.keys(contestants).join(', ')}`;

const options = {
  loads: { type: 'string' },
  contestants: { type: 'string' },
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '5' },
  json: { type: 'boolean', default: false },
};

/** Parses the arguments. Throws with the usage if they are wrong. */
function readArguments(args) {
  try {
    const { values } = parseArgs({ args, options });
    return {
      loads: chosen('loads', values.loads, loads),
      contestants: chosen('contestants', values.contestants, contestants),
      seconds: secondsOf(values.seconds),
      rounds: wholeNumber('rounds', values.rounds),
      json: values.json,
    };
  } catch (error) {
    throw new Error(`${error.message}\n\n${usage}`);
  }
}

function secondsOf(text) {
  const seconds = Number(text);
  if (!(seconds >= 0.1 && seconds <= 3600)) throw new Error('--seconds takes a number from 0.1 to 3600.');
  return seconds;
}

module.exports = { readArguments };
