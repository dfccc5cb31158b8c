// Nitro's own page of an error is JSON.
export default (error, event) => {
  const { own } = globalThis.panel;
  event.node.res.statusCode = error.statusCode;
  event.node.res.end(error.statusCode === 404 ? own.missing : own.failure);
};
