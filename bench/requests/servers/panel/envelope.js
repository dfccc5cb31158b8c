const { nowSeconds } = require('./nowSeconds');
const { timeText } = require('./timeText');

/** An answer with the module's envelope. */
function envelope(message, data) {
  return { success: true, message, data, timestamp: timeText(nowSeconds()) };
}

module.exports = { envelope };
