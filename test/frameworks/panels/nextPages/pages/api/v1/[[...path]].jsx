// Next answers HEAD, bodies and the end of a request as the function says.
export const config = { api: { bodyParser: false, externalResolver: true, responseLimit: false } };

// Next bundles each page apart, so the panel keeps its one mount outside.
const handle = globalThis.panel?.api.handler();

export default function panelApi(req, res) {
  req.originalUrl = globalThis.panel.basePath + req.url;
  if (!handle(req, res)) res.status(404).end();
}
