const { parseArgs } = require('node:util');
const { loads } = require('./loads');

const usage = 'npm run bench -- [--loads A,B] [--seconds N] [--rounds N] [--json]';

const options = {
  loads: { type: 'string' },
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '5' },
  json: { type: 'boolean', default: false },
};

/** What is to be measured. Throws with the usage when the arguments are wrong. */
function readArguments(args) {
  const { values } = parseArgs({ args, options });
  const names = values.loads?.split(',') ?? Object.keys(loads);
  return {
    loads: names.map((name) => loads[name]),
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    json: values.json,
  };
}

module.exports = { readArguments };
