const Router = require('@koa/router');
const Koa = require('koa');
const { serve } = require('../frame/serve');
const { addLists, openPanelHandle } = require('./panel');

/** The rows and nothing else: no token, no limit, no log. */
const router = new Router({ prefix: '/api/v1' });
addLists(router, openPanelHandle());
serve(new Koa().use(router.routes()));
