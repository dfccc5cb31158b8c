const { nowSeconds } = require('./nowSeconds');
const { timeText } = require('./timeText');

/** An answer as the module's are. */
function envelope(message, data) {
  return { success: true, message, data, timestamp: timeText(nowSeconds()) };
}

module.exports = { envelope };
