const compression = require('compression');
const cors = require('cors');
const express = require('express');
const session = require('express-session');
const helmet = require('helmet');
const { api, section, listen } = require('./panel.cjs');

const app = express();
const origin = 'https://dashboard.example';
// Above these, a handler answers without them.
app.use('/bare', api.handler());
app.use(helmet(), cors({ origin }), compression());
app.use(session({ secret: 'of a panel', resave: false, saveUninitialized: true }));
app.use(api.handler(), section.handler());
listen(require('node:http').createServer(app));
