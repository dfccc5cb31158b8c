const { createPanelApi } = require('koa-panel-api');
const { listen } = require('./listen.cjs');

listen(createPanelApi);
