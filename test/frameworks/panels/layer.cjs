// A panel whose file with the API is the first argument, relative to the working directory.

const { createServer } = require('node:http');
const { join } = require('node:path');
const { api, close } = require(join(process.cwd(), process.argv[2]));

const author = { actor: 'tester', origin: 'panel' };
const server = createServer(api.handler());

async function start() {
  await api.settings.enable(author);
  const { token } = await api.tokens.create({ name: 'test', scopes: ['*'] }, author);
  server.listen(0, '127.0.0.1', () => {
    process.send({ url: `http://127.0.0.1:${server.address().port}`, token });
  });
}

process.once('message', async () => {
  await new Promise((resolve) => server.close(resolve));
  await close();
  process.disconnect();
});
void start();
