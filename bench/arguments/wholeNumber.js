/** Parses an argument that is a whole number of at least 1. */
function wholeNumber(name, text) {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} takes a whole number from 1.`);
  return number;
}

module.exports = { wholeNumber };
