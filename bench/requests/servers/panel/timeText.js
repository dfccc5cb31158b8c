/** Converts seconds since 1970 into the module's form of a time. */
const timeText = (seconds) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`;

module.exports = { timeText };
