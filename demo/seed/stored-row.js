// The habits of many panels: 0 and 1, lists as JSON text, times as UTC text without a zone.
function stored(value) {
  if (typeof value === 'boolean') return Number(value);
  if (Array.isArray(value)) return JSON.stringify(value);
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace('T', ' ');
  return value;
}

module.exports = function storedRow(row) {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, stored(value)]));
};
