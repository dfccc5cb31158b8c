// A second click would submit the form again, and its answer would replace the first one.
(() => {
  const forms = document.querySelectorAll('form[method="post"]');
  for (const form of forms) {
    form.addEventListener('submit', (event) => {
      if (form.dataset.sent !== undefined) event.preventDefault();
      form.dataset.sent = '';
    });
  }
  // A browser may keep a page that was left, and show it again unchanged.
  addEventListener('pageshow', () => {
    for (const form of forms) delete form.dataset.sent;
  });
})();
