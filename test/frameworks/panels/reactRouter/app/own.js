export const loader = () => new Response(globalThis.panel.own.page);
