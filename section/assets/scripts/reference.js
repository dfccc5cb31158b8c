// The reference: tries endpoints with a token that is only in the page's memory.
(() => {
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

  // A browser may keep a page that was left, and show it again unchanged.
  addEventListener('pagehide', () => {
    for (const form of document.querySelectorAll('[data-try]')) form.reset();
    for (const answer of document.querySelectorAll('[data-answer]')) {
      answer.hidden = true;
      answer.firstChild.textContent = '';
    }
  });
})();
