const { createApiSection, createPanelApi } = require('koa-panel-api');
const { listen } = require('./listen.cjs');

listen({ createApiSection, createPanelApi });
