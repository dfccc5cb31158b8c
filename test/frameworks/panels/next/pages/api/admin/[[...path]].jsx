export const config = { api: { bodyParser: false, externalResolver: true } };

const handle = globalThis.panel?.sectionOfPages.handler();

export default function section(req, res) {
  req.originalUrl = globalThis.panel.basePath + req.url;
  if (!handle(req, res)) res.status(404).end();
}
