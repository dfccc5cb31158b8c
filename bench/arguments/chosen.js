/** Those of all that an argument names, in the order in which they are kept; all of them without it. */
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
