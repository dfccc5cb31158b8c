const { once, setMaxListeners } = require('node:events');
const { Agent, request } = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');
const { answerParent } = require('./processes');

/** A client in its own process. A target is a URL and a token; paths are relative to the API. */

const agent = new Agent({ keepAlive: true, noDelay: true });
const longestMs = 600_000;
/** How long after the others a hurried request is sent, and after how long its client leaves. */
const HURRIED_MS = 300;
const rowStart = Buffer.from('{"id":');

/** Sends a GET and resolves with the response when its headers have arrived. */
async function send({ url, token }, path, settings) {
  const sent = request(new URL(path, `${url}/api/v1/`), {
    agent,
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(longestMs),
    ...settings,
  });
  sent.end();
  const [response] = await once(sent, 'response');
  // What ends an answer is seen by its reader.
  for (const each of [sent, response]) each.on('error', () => {});
  return response;
}

/** The status and the text of an answer, and the milliseconds until its end. A long one is left after its first bytes. */
async function get(target, path, isLong = false) {
  const began = performance.now();
  const response = await send(target, path);
  const chunks = [];
  for await (const chunk of response) {
    chunks.push(chunk);
    if (isLong) break;
  }
  const milliseconds = performance.now() - began;
  return { status: response.statusCode, milliseconds, text: Buffer.concat(chunks).toString() };
}

/**
 * Reads a whole list without parsing it. Returns its number of rows, the seconds it took, and the rows numbered in
 * `wanted`, from 0. Every row begins with its id and has no braces, and no text contains a row's beginning, because its
 * quotes are escaped.
 */
async function readList(target, path, wanted = []) {
  const began = performance.now();
  const response = await send(target, path);
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}.`);
  const sample = [];
  // Of what has arrived, the last row that has begun; before the first row, the beginning of the answer.
  let rest = Buffer.alloc(0);
  let rows = 0;
  const keep = (bytes) => {
    if (wanted.includes(rows - 1)) sample.push(JSON.parse(bytes.subarray(0, bytes.indexOf('}') + 1)));
  };
  for await (const chunk of response) {
    rest = Buffer.concat([rest, chunk]);
    for (let next = rest.indexOf(rowStart, 1); next > 0; next = rest.indexOf(rowStart, 1)) {
      keep(rest.subarray(0, next));
      rest = rest.subarray(next);
      rows += 1;
    }
  }
  keep(rest);
  return { seconds: (performance.now() - began) / 1000, rows, sample };
}

let isProbing = false;
let probing;

/**
 * Sends the request of a probe at a steady pace, whether or not earlier ones were answered, until probing ends. Returns
 * the status of each, 0 if there was no answer and `partial` if it lacks one of these lines, and the milliseconds.
 */
async function probeSteadily(target, { path, everyMs, isLong, lines = [] }) {
  const began = performance.now();
  const answers = [];
  while (isProbing) {
    const sent = performance.now();
    const failed = () => ({ status: 0, milliseconds: performance.now() - sent });
    answers.push(get(target, path, isLong).catch(failed));
    await sleep(Math.max(0, began + answers.length * everyMs - performance.now()));
  }
  return (await Promise.all(answers)).map(({ status, milliseconds, text }) => {
    const isWhole = status !== 200 || lines.every((line) => text.includes(`${line}\n`));
    return { status: isWhole ? status : 'partial', milliseconds };
  });
}

/**
 * Sends a request and reads its answer at that speed until the signal. Returns its status, and `left` if the client broke
 * it off by the signal; otherwise the code of the connection's error.
 */
async function readSlowly(target, path, bytesPerSecond, signal) {
  let status = 'unanswered';
  try {
    const response = await send(target, path, { agent: false, signal });
    status = response.statusCode;
    let bytes = 0;
    const began = performance.now();
    for await (const chunk of response) {
      bytes += chunk.length;
      const due = began + (1000 * bytes) / bytesPerSecond;
      await sleep(Math.max(0, due - performance.now()), null, { signal });
    }
    return status;
  } catch (error) {
    return signal.aborted ? `${status}, left` : (error.code ?? error.name);
  }
}

answerParent({
  get,
  readList,

  /** Starts probes, by name. */
  startProbing(target, probes) {
    isProbing = true;
    probing = Object.entries(probes).map(async ([name, each]) => [name, await probeSteadily(target, each)]);
  },

  /** The answers to each probe. */
  async stopProbing() {
    isProbing = false;
    return Object.fromEntries(await Promise.all(probing));
  },

  /**
   * Sends all requests at once, again each time that `everyMs` has passed, and ends those that take longer. Returns the
   * number of outcomes by name.
   */
  async doWorst(target, worst, milliseconds) {
    const { paths, hurried = [], bytesPerSecond = Infinity, everyMs = milliseconds } = worst;
    const signal = AbortSignal.timeout(milliseconds);
    setMaxListeners(0, signal);
    const outcomes = {};
    const answers = [];
    while (!signal.aborted) {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(2 * HURRIED_MS)]);
      setMaxListeners(0, soon);
      answers.push(...paths.map((path) => readSlowly(target, path, bytesPerSecond, signal)));
      await sleep(HURRIED_MS);
      answers.push(...hurried.map((path) => readSlowly(target, path, bytesPerSecond, soon)));
      await sleep(everyMs - HURRIED_MS, null, { signal }).catch(() => {});
    }
    for (const outcome of await Promise.all(answers)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    return outcomes;
  },
});
