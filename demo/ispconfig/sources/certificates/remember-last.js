// @ts-check

/**
 * Returns the function with a memory of its last result, which it returns if it is called with the same value again.
 *
 * @template Given, Made
 * @param {(given: Given) => Made} make
 * @returns {(given: Given) => Made}
 */
module.exports = function rememberLast(make) {
  /** @type {{ given: Given, made: Made } | undefined} */
  let last;
  return (given) => {
    if (!last || last.given !== given) last = { given, made: make(given) };
    return last.made;
  };
};
