const { once } = require('node:events');
const { Agent, request } = require('node:http');

const minutes = 10;
const agent = new Agent({ keepAlive: true, noDelay: true });

/** Sends a GET and resolves with the response when its headers have arrived. */
async function send({ url, token }, path) {
  const sent = request(`${url}/${path}`, {
    agent,
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(minutes * 60_000),
  });
  sent.end();
  const [response] = await once(sent, 'response');
  return response;
}

module.exports = { send };
