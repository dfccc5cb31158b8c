// Conveniences. Every page works without this script.
(() => {
  for (const button of document.querySelectorAll('[data-copy]')) {
    if (!navigator.clipboard) break;
    button.hidden = false;
    button.addEventListener('click', async () => {
      const field = document.getElementById(button.dataset.copy);
      await navigator.clipboard.writeText(field.value ?? field.textContent).then(
        () => {
          button.textContent = 'Copied';
        },
        () => field.select?.(),
      );
    });
  }

  // A second click would submit the form again, and its answer would replace the first one.
  for (const form of document.querySelectorAll('form[method="post"]')) {
    form.addEventListener('submit', (event) => {
      if (form.dataset.sent !== undefined) event.preventDefault();
      form.dataset.sent = '';
    });
  }

  // A browser may keep a page that was left, and show it again unchanged.
  addEventListener('pagehide', () => {
    for (const secret of document.querySelectorAll('[data-secret]')) secret.remove();
  });
})();
