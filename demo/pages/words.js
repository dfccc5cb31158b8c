const { html } = require('./html');

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** A size in words: `12.3 GB`. */
function size(bytes) {
  if (bytes === null) return 'unlimited';
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  return `${(bytes / 1024 ** power).toFixed(power > 1 ? 1 : 0)} ${units[power]}`;
}

const relative = new Intl.RelativeTimeFormat('en');
const steps = [
  ['year', 365 * 86400],
  ['month', 30 * 86400],
  ['day', 86400],
  ['hour', 3600],
  ['minute', 60],
];

/** A time of the tables, which is UTC, as "in 3 days" with the exact one in the tooltip; `none` without a time. */
function time(text, none = '') {
  if (!text) return none && html`<span class="none">${none}</span>`;
  const exact = `${text.replace(' ', 'T')}Z`;
  const seconds = (Date.parse(exact) - Date.now()) / 1000;
  const [unit, length] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? steps.at(-1);
  const words = relative.format(Math.trunc(seconds / length), unit);
  return html`<time datetime="${exact}" title="${text.slice(0, 16)} UTC">${words}</time>`;
}

/** The used part of a limit, in words and as a bar. */
function usage(used, limit) {
  if (!limit) return size(used ?? 0);
  const share = Math.round(((used ?? 0) / limit) * 100);
  const words = `${size(used ?? 0)} of ${size(limit)}`;
  return html`<span class="usage"><meter min="0" max="100" low="80" high="95" optimum="0" value="${Math.min(share, 100)}" aria-label="${words}"></meter> ${words}</span>`;
}

const tones = {
  good: ['active', 'valid', 'running', 'succeeded'],
  warn: ['expiring', 'pending', 'partial', 'suspended'],
  bad: ['expired', 'failed', 'revoked'],
};

/** A status as a word with a dot in its colour. */
function status(word) {
  const [tone = 'none'] = Object.entries(tones).find(([, words]) => words.includes(word)) ?? [];
  return html`<span class="status ${tone}">${word}</span>`;
}

module.exports = { size, time, status, usage };
