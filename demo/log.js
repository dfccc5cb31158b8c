const line = (level) => (message, fields) =>
  console.log(JSON.stringify({ level, message, ...fields, timestamp: new Date().toISOString() }));

/** What the module needs of a logger. A panel passes its own, such as one of winston or pino. */
module.exports = { info: line('info'), warn: line('warn'), error: line('error') };
