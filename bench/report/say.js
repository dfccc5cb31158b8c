/** What comes while it runs; the report alone goes to standard output. */
function say(text) {
  console.error(text);
}

module.exports = { say };
