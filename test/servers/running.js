/** What startServers started, for stopServers. */
const running = [];

module.exports = { running };
