const { spawn } = require('node:child_process');
const { delimiter, dirname } = require('node:path');
const { provideNode } = require('./steps/provideNode');

/** Runs a command with the Node of the tests in front of PATH, and ends as it does. */
async function onNode([program, ...args]) {
  const path = await provideNode();
  const env = { ...process.env, PATH: [dirname(path), process.env.PATH].join(delimiter) };
  const child = spawn(program, args, { env, stdio: 'inherit' });
  process.on('SIGTERM', () => child.kill());
  // A terminal sends these to the command too.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
  child.once('error', ({ message }) => fail(`${program} could not be run: ${message}`));
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}

onNode(process.argv.slice(2)).catch(({ message }) => fail(message));
