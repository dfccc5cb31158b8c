const winston = require('winston');

/** winston with one line of JSON per entry, written to a file. */
function openLog() {
  return winston.createLogger({
    format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
    transports: [new winston.transports.File({ filename: process.env.LOG_FILE })],
  });
}

module.exports = { openLog };
