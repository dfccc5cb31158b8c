import { defineEventHandler, getRequestIP, toWebRequest } from 'h3';

export default defineEventHandler((event) => {
  // toWebRequest takes the body away from all others.
  if (!/^\/(api\/v1|admin\/api)(?![^/?])/.test(event.path)) return;
  return globalThis.panel.answer(toWebRequest(event), { address: getRequestIP(event) });
});
