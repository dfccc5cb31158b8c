export const config = { api: { bodyParser: false, externalResolver: true, responseLimit: false } };

const handle = globalThis.panel?.section.handler();

export default function section(req, res) {
  req.originalUrl = globalThis.panel.basePath + req.url;
  if (!handle(req, res)) res.status(404).end();
}
