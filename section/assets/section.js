// What makes the pages more convenient. Each of them works without it.
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

  // A second click would send a form again, and its answer take the place of the first.
  for (const form of document.querySelectorAll('form[method="post"]')) {
    form.addEventListener('submit', (event) => {
      if (form.dataset.sent !== undefined) event.preventDefault();
      form.dataset.sent = '';
    });
  }

  // A browser may keep a page that was left as it stands, and show it again.
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
      // Ids are for the search alone.
      const typed = input.value.trim().toLowerCase();
      const wanted = typed.startsWith('#') ? '' : typed;
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
  }

  for (const form of document.querySelectorAll('[data-try]')) {
    form.addEventListener('submit', (event) => event.preventDefault());
    for (const button of document.querySelectorAll('[data-send]')) {
      // The policy of these pages lets them ask their own origin alone.
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
      // A list may be long: a page of it shows what it is like.
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
