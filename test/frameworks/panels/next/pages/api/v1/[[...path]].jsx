// Next answers HEAD, bodies and the end of a request as the function says.
export const config = { api: { bodyParser: false, externalResolver: true } };

// Next bundles each page apart, so the panel keeps its one mount outside.
export default globalThis.panel?.api.handler();
