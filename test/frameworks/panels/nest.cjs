require('reflect-metadata');
const { Catch, Controller, Get, Module, NotFoundException } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { api, section, own, listening } = require('./panel.cjs');

// Node without a compiler has no decorators: they are called as functions.
class Pages {
  page() {
    return own.page;
  }
  failure() {
    throw new Error();
  }
}
for (const [method, path] of [
  ['page', '/own'],
  ['failure', '/fails'],
])
  Get(path)(Pages.prototype, method, Object.getOwnPropertyDescriptor(Pages.prototype, method));
Controller()(Pages);
class Panel {}
Module({ controllers: [Pages] })(Panel);

class Failures {
  catch(error, host) {
    const isMissing = error instanceof NotFoundException;
    const response = host.switchToHttp().getResponse();
    response.status(isMissing ? 404 : 500).send(isMissing ? own.missing : own.failure);
  }
}
Catch()(Failures);

async function start() {
  const platform = process.argv[3];
  const adapter =
    platform === 'fastify' ? new (require('@nestjs/platform-fastify').FastifyAdapter)() : undefined;
  const app = await NestFactory.create(Panel, ...(adapter ? [adapter] : []), { logger: false });
  app.use(api.handler());
  app.use(section.handler());
  app.useGlobalFilters(new Failures());
  await app.listen(0, '127.0.0.1');
  await listening(app.getHttpServer().address().port);
}

void start();
