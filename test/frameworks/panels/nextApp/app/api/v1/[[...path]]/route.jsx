/**
 * Next says no address of a connection: its server adds it to X-Forwarded-For, if a proxy does not. It cuts basePath off,
 * and does not say so.
 */
export function GET(request) {
  const { answerBehindProxy, basePath } = globalThis.panel;
  const url = basePath + request.nextUrl.pathname + request.nextUrl.search;
  return answerBehindProxy(request, { url }) ?? new Response(null, { status: 404 });
}

export { GET as DELETE, GET as HEAD, GET as OPTIONS, GET as PATCH, GET as POST, GET as PUT };
