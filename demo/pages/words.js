const { html } = require('./html');

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** A size in words: `12.3 GB`. */
function size(bytes) {
  if (bytes === null) return 'unlimited';
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  return `${(bytes / 1024 ** power).toFixed(power > 1 ? 1 : 0)} ${units[power]}`;
}

/** A time of the tables, which is UTC, to the minute. */
function time(text) {
  return text
    ? html`<time datetime="${text.replace(' ', 'T')}Z">${text.slice(0, 16)}</time>`
    : html`<span class="none">never</span>`;
}

const tones = {
  good: ['active', 'valid', 'running', 'succeeded'],
  warn: ['expiring', 'pending', 'queued', 'partial', 'deploying', 'suspended'],
  bad: ['expired', 'failed', 'revoked', 'error', 'stopped', 'cancelled'],
};

/** A status as a word with a dot in its colour. */
function status(word) {
  const [tone = 'none'] = Object.entries(tones).find(([, words]) => words.includes(word)) ?? [];
  return html`<span class="status ${tone}">${word}</span>`;
}

module.exports = { size, time, status };
