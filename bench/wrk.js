const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { join } = require('node:path');
const { text } = require('node:stream/consumers');
const { setTimeout: sleep } = require('node:timers/promises');
const { requireProgram } = require('../test/servers/requireProgram');
const { endWithParent } = require('./frame/processes');

const SCRIPT = join(__dirname, 'wrk.lua');
const patience = '30s';
const spareSeconds = 5;

/**
 * Sends requests over keep-alive connections, each with one request at a time, and counts the answers. `requestsFile`
 * has a token and a path in each line; they are sent in turn. Latencies and `cpuMs`, wrk's own CPU time, are in
 * milliseconds.
 */
async function runWrk({ ports, requestsFile, connections, seconds }) {
  const args = [
    `--threads=${Math.min(ports.length, connections)}`,
    `--connections=${connections}`,
    // wrk takes whole seconds, and ends earlier by a signal. Without this process it ends by itself.
    `--duration=${Math.ceil(seconds) + spareSeconds}`,
    `--timeout=${patience}`,
    `--script=${SCRIPT}`,
    `http://127.0.0.1:${ports[0]}/`,
  ];
  const env = { ...process.env, PORTS: ports.join(), REQUESTS: requestsFile };
  const wrk = endWithParent(
    spawn(requireProgram('wrk', 'wrk'), args, { env, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  const printed = Promise.all([text(wrk.stdout), text(wrk.stderr)]);
  await once(wrk, 'spawn');
  await sleep(seconds * 1000);
  wrk.kill('SIGINT');
  const [output, errors] = await printed;
  const [, json] = /^(\{.*\})$/m.exec(output) ?? [];
  if (!json) throw new Error(`wrk failed: ${(errors || output).trim()}`);
  const { requests, refused, ...result } = JSON.parse(json);
  return { ...result, refused, answers: requests - refused };
}

module.exports = { runWrk };
