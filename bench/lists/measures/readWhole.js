/** One read of the whole list from a server; see readList. */
async function readWhole({ client }, { kind, target }, { name }, wanted = []) {
  try {
    return await client.call('readList', target, `${name}.php`, wanted);
  } catch (error) {
    throw new Error(`${kind}: ${error.message}`, { cause: error });
  }
}

module.exports = { readWhole };
