const MOST_BYTES = 8192;

/** The fields of a small form. */
module.exports = async function readForm(ctx) {
  const chunks = [];
  let bytes = 0;
  // Over a stream that is destroyed, the client would not get the answer.
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) ctx.throw(413);
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
};
