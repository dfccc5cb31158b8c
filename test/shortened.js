const longest = 20_000;

/** Returns the beginning and the end of a text that is too long to read. */
function shortened(text) {
  if (text.length <= longest) return text;
  const half = longest / 2;
  return `${text.slice(0, half)}\n[… ${text.length - longest} characters left out …]\n${text.slice(-half)}`;
}

module.exports = { shortened };
