const { once, setMaxListeners } = require('node:events');
const { Agent, request } = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');
const { answerParent } = require('../processes');

const agent = new Agent({ keepAlive: true, noDelay: true });

async function open({ url, token }, path, settings) {
  const sent = request(url + path, { headers: { authorization: `Bearer ${token}` }, ...settings });
  sent.end();
  const [response] = await once(sent, 'response');
  sent.on('error', () => undefined);
  response.on('error', () => undefined);
  return { sent, response };
}

/** The result of an answer. A long one is left after its first bytes. */
async function ask(target, path) {
  const started = performance.now();
  try {
    const { sent, response } = await open(target, path, { agent });
    response.resume();
    await once(response, response.headers['content-length'] === undefined ? 'data' : 'end');
    const milliseconds = performance.now() - started;
    if (response.headers['content-length'] === undefined) sent.destroy();
    return { status: response.statusCode, milliseconds };
  } catch {
    return { status: 0, milliseconds: performance.now() - started };
  }
}

/**
 * Sends a request and reads its answer at that speed until the signal. Returns its status, and `left` if the client broke
 * it off by the signal; otherwise the code of the connection's error.
 */
async function read(target, path, bytesPerSecond, signal) {
  let status = 'unanswered';
  try {
    const { response } = await open(target, path, { agent: false, signal });
    status = response.statusCode;
    let bytes = 0;
    const started = performance.now();
    for await (const chunk of response) {
      bytes += chunk.length;
      await sleep(Math.max(0, started + (1000 * bytes) / bytesPerSecond - performance.now()), null, {
        signal,
      });
    }
    return status;
  } catch (error) {
    return signal.aborted ? `${status}, left` : (error.code ?? error.name);
  }
}

answerParent({
  /** The status of each probe. Probes are sent at their own pace, whether or not earlier ones were answered. */
  async probe(target, probes, milliseconds) {
    const until = performance.now() + milliseconds;
    const answers = Object.entries(probes).map(async ([name, { path, everyMs }]) => {
      const asked = [];
      while (performance.now() < until) {
        asked.push(ask(target, path));
        await sleep(everyMs);
      }
      return [name, await Promise.all(asked)];
    });
    return Object.fromEntries(await Promise.all(answers));
  },

  /** Sends all requests at once, and ends those that take longer. Returns the number of outcomes by name. */
  async doWorst(target, { paths, bytesPerSecond = Infinity }, milliseconds) {
    const signal = AbortSignal.timeout(milliseconds);
    setMaxListeners(0, signal);
    const outcomes = {};
    const answers = paths.map((path) => read(target, path, bytesPerSecond, signal));
    for (const outcome of await Promise.all(answers)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    return outcomes;
  },
});
