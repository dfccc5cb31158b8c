/**
 * Middleware that panels use beside the module, by the names of their packages:
 *
 * - `version`: of the package;
 * - `create`: the middleware, for an app;
 * - `adds`: the headers that it may add to an answer;
 * - `changes`: the headers that it may change, because it sends the same answer in another form.
 */
const MIDDLEWARE = {
  'koa-bodyparser': { version: '4.4.1', create: () => require('koa-bodyparser')() },
  '@koa/bodyparser': { version: '6.1.0', create: () => require('@koa/bodyparser').bodyParser() },
  'koa-body': { version: '8.0.1', create: () => require('koa-body').koaBody({ multipart: true }) },
  'koa-compress': {
    version: '5.2.2',
    create: () => require('koa-compress')({ threshold: 0 }),
    adds: ['content-encoding', 'vary'],
    changes: ['content-length', 'transfer-encoding'],
  },
  'koa-session': {
    version: '7.0.2',
    create(app) {
      app.keys = ['of a panel'];
      return require('koa-session').createSession({ rolling: true }, app);
    },
    adds: ['set-cookie'],
  },
  'koa-helmet': {
    version: '9.0.0',
    create: () => require('koa-helmet')(),
    adds: [
      'content-security-policy',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'origin-agent-cluster',
      'referrer-policy',
      'strict-transport-security',
      'x-content-type-options',
      'x-dns-prefetch-control',
      'x-download-options',
      'x-frame-options',
      'x-permitted-cross-domain-policies',
      'x-xss-protection',
    ],
  },
  '@koa/cors': {
    version: '5.0.0',
    create: () => require('@koa/cors')({ origin: '*' }),
    adds: ['access-control-allow-origin', 'vary'],
  },
  'koa-conditional-get': { version: '3.0.0', create: () => require('koa-conditional-get')() },
  '@koa/etag': { version: '5.0.2', create: () => require('@koa/etag')(), adds: ['etag'] },
  'koa-static': { version: '5.0.0', create: () => require('koa-static')('public') },
};

/** The routers of panels, by the names under which they are installed beside the module's own. */
const ROUTERS = {
  'router-12': '12.0.2',
  'router-13': '13.1.1',
  'router-14': '14.0.0',
  'router-15': '15.7.0',
};

/** Everything that the arrangements need, as npm installs it. */
const packages = [
  ...Object.entries(MIDDLEWARE).map(([name, { version }]) => `${name}@${version}`),
  ...Object.entries(ROUTERS).map(([name, version]) => `${name}@npm:@koa/router@${version}`),
  'koa-mount@4.2.0',
  'helmet@8.3.0',
];

/** The panel's own routes, and its answers to methods that they do not have. */
function panelRouter(name) {
  const exported = require(name);
  const Router = exported.Router ?? exported;
  const router = new Router();
  router.get('/panel', (ctx) => {
    ctx.body = 'the panel';
  });
  return [router.routes(), router.allowedMethods()];
}

const useAll = (app, ...middleware) => middleware.flat(2).reduce((all, one) => all.use(one), app);

/**
 * The ways to mount the module's middleware in an app, by their names, which are those of what is mounted before it:
 *
 * - `mount(app, own)`: mounts `own`, the middleware of the API and of its section;
 * - `prefix`: the path below which it is then;
 * - `adds` and `changes`: as above.
 */
const arrangements = {
  alone: { mount: (app, own) => useAll(app, own) },
  'koa-mount': {
    prefix: '/hosting',
    mount: (app, own) =>
      useAll(
        app,
        own.map((one) => require('koa-mount')('/hosting', one)),
      ),
  },
  'an app below koa-mount': {
    prefix: '/hosting',
    mount: (app, own) => app.use(require('koa-mount')('/hosting', useAll(new (require('koa'))(), own))),
  },
  'all middleware before': {
    ...formOf(Object.keys(MIDDLEWARE)),
    // The parsers would read one body after another.
    mount: (app, own) => useAll(app, created(app, ['koa-bodyparser', '@koa/bodyparser']), own),
  },
  'everything behind': {
    // To the panel's own pages.
    ...formOf(Object.keys(MIDDLEWARE)),
    mount: (app, own) => useAll(app, own, created(app, []), Object.keys(ROUTERS).map(panelRouter)),
  },
};

for (const [name, { create, adds, changes }] of Object.entries(MIDDLEWARE))
  arrangements[name] = { adds, changes, mount: (app, own) => useAll(app, create(app), own) };
for (const name of Object.keys(ROUTERS))
  arrangements[name] = { mount: (app, own) => useAll(app, panelRouter(name), own) };

/** All middleware but these. */
function created(app, but) {
  return Object.entries(MIDDLEWARE)
    .filter(([name]) => !but.includes(name))
    .map(([, { create }]) => create(app));
}

/** What these may add and change together. */
function formOf(names) {
  return {
    adds: names.flatMap((name) => MIDDLEWARE[name].adds ?? []),
    changes: names.flatMap((name) => MIDDLEWARE[name].changes ?? []),
  };
}

module.exports = { arrangements, packages };
