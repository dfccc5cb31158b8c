const { formatTable } = require('../../report/formatTable');
const { connectionsText } = require('./connectionsText');

const names = {
  ratio: 'requests/s',
  loopDelay: "event loop's delay, p99 in ms",
  statements: 'statements per request',
  growth: 'statements per request / those at 1 connection',
};
const digits = { ratio: 2, loopDelay: 1, statements: 1, growth: 2 };

/** The aims, with the measured values. */
function aimLines(aims) {
  if (aims.length === 0) return [];
  return [
    '',
    'Aims',
    '',
    ...formatTable([['', 'aim', 'measured', ''], ...aims.map(line)]).map((each) => `  ${each}`),
  ];
}

function line({ load, connections, measure, aim, failure, value, reached, who, against }) {
  const place = `${load}, ${connectionsText(connections)}`;
  if (failure) return [`${place}: ${names[measure]}`, aim, '', 'not measured'];
  return [
    `${place}: ${names[measure]}, ${against ? `${who} / ${against}` : who}`,
    aim,
    value.toFixed(digits[measure]),
    reached ? 'reached' : 'missed',
  ];
}

module.exports = { aimLines };
