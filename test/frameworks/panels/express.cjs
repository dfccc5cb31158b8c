const { api, section, own, listen } = require('./panel.cjs');
// The mount path, the parser of forms and the version are arguments.
const [, , , name = 'express', path = '/', parses = 'no'] = process.argv;
const express = require(name);

const app = express();
if (parses === 'yes') app.use(express.urlencoded({ extended: true }), express.json());
app.use(path, api.handler());
app.use(section.handler());
app.get('/own', (_req, res) => res.send(own.page));
app.get('/fails', () => {
  throw new Error();
});
app.use((_req, res) => res.status(404).send(own.missing));
app.use((_error, _req, res, _next) => res.status(500).send(own.failure));
listen(require('node:http').createServer(app));
