/** A text that is HTML already. */
class Html {
  constructor(text) {
    this.text = text;
  }
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function written(value) {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(written).join('');
  return String(value ?? '').replace(/[&<>"']/g, (character) => entities[character]);
}

/** HTML from a template. Every value that is not HTML is escaped. */
function html(parts, ...values) {
  return new Html(
    parts.reduce((text, part, index) => text + (index > 0 ? written(values[index - 1]) : '') + part, ''),
  );
}

module.exports = { Html, html };
