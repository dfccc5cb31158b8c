const { RowCounter } = require('./RowCounter');
const { send } = require('./send');

/**
 * Reads a list to its end without parsing it, and returns how many rows and bytes it had and how long it took.
 * `wanted` are the numbers of rows, from 0, whose values are given as well.
 */
async function readList(target, path, wanted = []) {
  const started = performance.now();
  const response = await send(target, path);
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}.`);
  const counter = new RowCounter(wanted);
  for await (const chunk of response) counter.add(chunk);
  const seconds = (performance.now() - started) / 1000;
  return { seconds, bytes: counter.bytes, rows: counter.rows, sample: counter.sample() };
}

module.exports = { readList };
