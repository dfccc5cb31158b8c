/** Parses an argument that is a whole number of at least 1. */
function wholeNumber(name, text) {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} takes a whole number from 1.`);
  return number;
}

/** Parses an argument that is a time in seconds. */
function secondsOf(name, text) {
  const seconds = Number(text);
  if (!(seconds >= 0.1 && seconds <= 3600)) throw new Error(`--${name} takes a number from 0.1 to 3600.`);
  return seconds;
}

/** Returns those of the names that an argument lists, in their original order; all of them without the argument. */
function chosen(name, text, all) {
  if (text === undefined) return all;
  const names = text.split(',');
  const unknown = names.find((each) => !all.includes(each));
  if (unknown !== undefined) throw new Error(`--${name} knows no "${unknown}", but ${all.join(', ')}.`);
  return all.filter((each) => names.includes(each));
}

module.exports = { chosen, secondsOf, wholeNumber };
