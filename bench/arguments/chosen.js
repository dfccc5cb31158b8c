/** Returns the values that an argument names, in their original order; all of them without the argument. */
function chosen(name, text, all) {
  if (text === undefined) return Object.values(all);
  const names = text.split(',');
  const unknown = names.find((each) => !Object.hasOwn(all, each));
  if (unknown !== undefined) {
    throw new Error(`--${name} knows no "${unknown}", but ${Object.keys(all).join(', ')}.`);
  }
  return Object.keys(all)
    .filter((each) => names.includes(each))
    .map((each) => all[each]);
}

module.exports = { chosen };
