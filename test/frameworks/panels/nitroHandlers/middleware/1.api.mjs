import { fromNodeMiddleware } from 'h3';

// The panel keeps its one mount outside, as that of the other frameworks.
export default fromNodeMiddleware(globalThis.panel.api.handler());
