const events = require('node:events');

const reasons = {
  EADDRINUSE: (port) => `Port ${port} is taken. Choose another one: PORT=${Number(port) + 1} npm start`,
  EACCES: (port) => `Port ${port} needs more rights. Choose one above 1023: PORT=3001 npm start`,
};

module.exports = async function listen(app, port) {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) {
    throw new Error(`PORT is "${port}", which is not a port number from 0 to 65535.`);
  }
  // Only on this machine, because the demo uses plain HTTP and prints a token that may read everything.
  const server = app.listen(Number(port), '127.0.0.1');
  try {
    await events.once(server, 'listening');
  } catch (error) {
    throw reasons[error.code] ? new Error(reasons[error.code](port)) : error;
  }
  return server;
};
