const { timeNow } = require('./timeNow');

/** An answer as the module's are. */
function envelope(message, data) {
  return { success: true, message, data, timestamp: timeNow() };
}

module.exports = { envelope };
