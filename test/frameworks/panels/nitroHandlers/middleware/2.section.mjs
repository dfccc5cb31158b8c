import { fromNodeMiddleware } from 'h3';

export default fromNodeMiddleware(globalThis.panel.section.handler());
