const connectionsText = (count) => (count === 1 ? '1 connection' : `${count} connections`);

module.exports = { connectionsText };
