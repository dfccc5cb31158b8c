const { mkdirSync, writeFileSync } = require('node:fs');
const { get } = require('node:https');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');
const { ScratchDirectory } = require('../ScratchDirectory');
const { PrivateServer } = require('./PrivateServer');
const { freePort } = require('./freePort');
const { requireProgram } = require('./requireProgram');

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

async function startNginx(locations) {
  const program = requireProgram('nginx', 'nginx');
  const directory = new ScratchDirectory('nginx');
  const at = (name) => join(directory.path, name);
  const port = await freePort();
  const files = ['-keyout', at('key.pem'), '-out', at('certificate.pem')];
  await runCommand(requireProgram('openssl', 'openssl'), [
    ...'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=panel.example'.split(' '),
    ...files,
  ]);
  for (const name of temporary) mkdirSync(at(name));
  writeFileSync(
    at('nginx.conf'),
    `daemon off;
${process.getuid() === 0 ? 'user root;' : ''}
pid ${at('pid')};
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${at(name)};`).join(' ')}
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${at('certificate.pem')};
    ssl_certificate_key ${at('key.pem')};
    ${locations}
  }
}
`,
  );
  const server = new PrivateServer({
    directory,
    program,
    args: ['-e', at('error.log'), '-c', at('nginx.conf')],
    stopSignal: 'SIGTERM',
    url: `https://127.0.0.1:${port}`,
    port,
    socket: at('socket'),
    ready: () =>
      new Promise((resolve, reject) => {
        const answered = (answer) => answer.resume().once('end', resolve);
        get({ port, rejectUnauthorized: false, agent: false }, answered).once('error', reject);
      }),
  });
  await server.start();
  return server;
}

module.exports = { startNginx };
