const { send } = require('./send');

/** A small answer, parsed, and the milliseconds until its last byte. */
async function get(target, path) {
  const started = performance.now();
  const response = await send(target, path);
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  const milliseconds = performance.now() - started;
  return { status: response.statusCode, milliseconds, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

module.exports = { get };
