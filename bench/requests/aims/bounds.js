const kinds = {
  atLeast: { text: 'at least', holds: (value, bound) => value >= bound },
  atMost: { text: 'at most', holds: (value, bound) => value <= bound },
  above: { text: 'more than', holds: (value, bound) => value > bound },
  below: { text: 'less than', holds: (value, bound) => value < bound },
};

/** Whether a value meets a bound such as `{ atLeast: 0.85 }`. */
function holds(bound, value) {
  const [[kind, number]] = Object.entries(bound);
  return kinds[kind].holds(value, number);
}

function boundText(bound) {
  const [[kind, number]] = Object.entries(bound);
  return `${kinds[kind].text} ${number}`;
}

module.exports = { boundText, holds };
