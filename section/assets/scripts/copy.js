// Copies a field, and says so for some seconds.
(() => {
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
