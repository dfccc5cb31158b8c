// A typed date selects its own choice, and another choice removes the date.
(() => {
  for (const group of document.querySelectorAll('[data-expiry]')) {
    const date = group.querySelector('input[type="date"]');
    const own = group.querySelector('input[value="date"]');
    date.addEventListener('input', () => {
      own.checked = true;
    });
    group.addEventListener('change', ({ target }) => {
      if (target.type === 'radio' && target !== own) date.value = '';
    });
  }
})();
