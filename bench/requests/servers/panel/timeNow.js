const timeNow = () => `${new Date().toISOString().slice(0, 19)}+00:00`;

module.exports = { timeNow };
