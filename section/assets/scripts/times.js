// Writes times in the reader's own zone. Without this script, they are UTC.
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // This locale writes 2026-06-12 14:03, in every zone.
  const exact = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
  for (const time of document.querySelectorAll('time[data-time]')) {
    const words = exact.format(new Date(time.dateTime));
    if (time.dataset.time === 'exact') time.textContent = words;
    time.title = `${words} ${zone}`;
  }
  for (const note of document.querySelectorAll('[data-zone]'))
    note.textContent = note.dataset.zone.replace('{zone}', zone);
})();
