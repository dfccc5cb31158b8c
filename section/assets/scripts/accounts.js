// Suggests accounts while a name is typed.
(() => {
  for (const field of document.querySelectorAll('[data-suggest]')) {
    let timer;
    field.addEventListener('focus', () => suggest(field), { once: true });
    field.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(suggest, 200, field);
    });
  }

  async function suggest(field) {
    const search = field.value.trim();
    try {
      const response = await fetch(`${field.dataset.suggest}?${new URLSearchParams({ search })}`);
      const found = await response.json();
      // A later search may have been faster.
      if (field.value.trim() !== search) return;
      const option = ({ id, username, holder }) => new Option(`${holder} #${id}`.trim(), username);
      field.list.replaceChildren(...found.map(option));
    } catch {
      // Without suggestions, the account is found when the form is sent.
    }
  }
})();
