// Conveniences. Every page works without this script, except for trying out endpoints in the reference.
(() => {
  for (const button of document.querySelectorAll('[data-copy]')) {
    if (!navigator.clipboard) break;
    button.hidden = false;
    button.addEventListener('click', async () => {
      const field = document.getElementById(button.dataset.copy);
      await navigator.clipboard.writeText(field.value).then(
        () => {
          button.textContent = 'Copied';
        },
        () => field.select(),
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
    for (const form of document.querySelectorAll('[data-try]')) form.reset();
    for (const answer of document.querySelectorAll('[data-answer]')) {
      answer.hidden = true;
      answer.firstChild.textContent = '';
    }
  });

  for (const input of document.querySelectorAll('[data-filter]')) {
    const rows = document.querySelectorAll(`#${input.dataset.filter} tbody tr`);
    input.addEventListener('input', () => {
      // Only the server searches by id.
      const typed = input.value.trim().toLowerCase();
      const wanted = typed.startsWith('#') ? '' : typed;
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
  }

  for (const form of document.querySelectorAll('[data-try]')) {
    form.addEventListener('submit', (event) => event.preventDefault());
    for (const button of document.querySelectorAll('[data-send]')) {
      // The pages' content security policy allows requests to their own origin only.
      if (new URL(button.dataset.send).origin !== location.origin) continue;
      form.hidden = false;
      button.hidden = false;
      button.addEventListener('click', () => tryIt(form.querySelector('input').value.trim(), button));
    }
  }

  async function tryIt(token, button) {
    const answer = button.closest('details').querySelector('[data-answer]');
    answer.hidden = false;
    answer.firstChild.textContent = '…';
    try {
      const headers = { Authorization: `Bearer ${token}` };
      // A list may be long, so only its first items are requested.
      const isList = button.dataset.list !== undefined;
      const response = await fetch(button.dataset.send + (isList ? '?limit=5' : ''), {
        headers,
        cache: 'no-store',
      });
      const text = await response.text();
      answer.firstChild.textContent = `${response.status}\n${JSON.stringify(JSON.parse(text), null, 2)}`;
    } catch {
      answer.firstChild.textContent = 'The API could not be reached from this page.';
    }
  }
})();
