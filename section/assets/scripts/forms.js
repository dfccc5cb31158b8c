// What makes forms quicker. Without it, they do the same by further requests.
(() => {
  const announcer = document.querySelector('[data-announcer]');

  // A second click would submit the form again, and its answer would replace the first one.
  document.addEventListener('submit', (event) => {
    const { target: form } = event;
    if (form.method !== 'post' || event.defaultPrevented) return;
    if (form.dataset.sent !== undefined) event.preventDefault();
    form.dataset.sent = '';
  });
  // A browser may keep a page that was left, and show it again unchanged.
  addEventListener('pageshow', () => {
    for (const form of document.forms) delete form.dataset.sent;
  });

  for (const button of document.querySelectorAll('[data-done]')) {
    button.addEventListener('click', (event) => {
      event.preventDefault();
      if (button.dataset.add) addLine(document.getElementById(button.dataset.add), button.value);
      else select(button.form, button.dataset.scopes.split(' '));
      announcer.textContent = button.dataset.done;
    });
  }

  function addLine(field, line) {
    const lines = new Set(field.value.split('\n').filter((one) => one.trim() !== ''));
    field.value = [...lines.add(line)].join('\n');
  }

  function select(form, scopes) {
    for (const box of form.elements.scope) box.checked = scopes.includes(box.value);
    form.dispatchEvent(new Event('input', { bubbles: true }));
    const { name } = form.elements;
    if (name.value === '') name.focus();
  }

  // The purpose whose scopes are those that are selected is shown as pressed.
  document.addEventListener('input', ({ target }) => {
    const form = target.form ?? target;
    const chosen = [...new FormData(form).getAll('scope')].toSorted().join(' ');
    for (const button of form.querySelectorAll('[data-scopes]'))
      button.ariaPressed = String(button.dataset.scopes.split(' ').toSorted().join(' ') === chosen);
  });

  // A typed date selects its own choice, and another choice removes the date.
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
