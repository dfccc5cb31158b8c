const { text } = require('node:stream/consumers');

/** The fields of a small form. */
module.exports = async function readForm(ctx) {
  return new URLSearchParams(await text(ctx.req));
};
