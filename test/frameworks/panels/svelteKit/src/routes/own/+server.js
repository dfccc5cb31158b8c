export const GET = () => new Response(globalThis.panel.own.page);
