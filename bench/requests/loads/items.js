/** The rows of a list. */
const items = ({ data }) => data.items;

module.exports = { items };
