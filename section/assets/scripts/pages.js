// What all pages have.
(() => {
  // A browser may keep a page that was left, and show it again unchanged: without its secrets.
  addEventListener('pagehide', () => {
    for (const secret of document.querySelectorAll('[data-secret]')) secret.remove();
  });

  // Times in the reader's own zone. Without this script, they are UTC.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // This locale writes 2026-06-12 14:03, in every zone.
  const exact = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
  const showTimes = ({ target }) => {
    for (const time of target.querySelectorAll('time[data-time]')) {
      const words = exact.format(new Date(time.dateTime));
      if (time.dataset.time === 'exact') time.textContent = words;
      time.title = `${words} ${zone}`;
    }
  };
  showTimes({ target: document });
  // A part that a script has added.
  document.addEventListener('shown', showTimes);
  for (const note of document.querySelectorAll('[data-zone]'))
    note.textContent = note.dataset.zone.replace('{zone}', zone);

  // In a narrow section, the row of tabs may begin before the current one. The page itself stays at what has the focus.
  const tab = document.querySelector('.api-section > nav [aria-current]');
  const tabs = tab?.closest('ul');
  if (tab) tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;

  // Buttons that copy a field, and say so for some seconds.
  if (!navigator.clipboard) return;
  const announcer = document.querySelector('[data-announcer]');
  for (const button of document.querySelectorAll('[data-copy]')) {
    const words = button.textContent;
    let timer;
    const show = (copied) => {
      button.textContent = copied || words;
      announcer.textContent = copied;
    };
    button.hidden = false;
    if (button.autofocus) button.focus();
    button.addEventListener('click', async () => {
      const field = document.getElementById(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(field.value ?? field.textContent);
      } catch {
        field.select?.();
        return;
      }
      show(button.dataset.copied);
      clearTimeout(timer);
      timer = setTimeout(() => show(''), 4000);
    });
  }
})();
