/** Prints progress on standard error. Only the report goes to standard output. */
function say(text) {
  console.error(text);
}

module.exports = { say };
