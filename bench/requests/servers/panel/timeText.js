/** Seconds since 1970 as the module shows them. */
const timeText = (seconds) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`;

module.exports = { timeText };
