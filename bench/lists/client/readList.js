const { RowCounter } = require('./RowCounter');
const { send } = require('./send');

/**
 * Reads a whole list without parsing it. Returns its number of rows and bytes, its duration, and the values of the rows
 * numbered in `wanted`, from 0.
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
