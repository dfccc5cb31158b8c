// The summary beside the form of a new token. It is the next page if there is no script, which is fetched here.
(() => {
  const form = document.querySelector('[data-summarized]');
  if (!form) return;
  const place = document.getElementById(form.dataset.summarized);
  const proceed = place.lastElementChild;
  const createButton = () => place.querySelector('form .primary');
  let asked;
  let timer;

  form.addEventListener('input', () => {
    // What they would create or show is no longer what the form says.
    for (const button of place.querySelectorAll('form button')) button.disabled = true;
    clearTimeout(timer);
    timer = setTimeout(update, 300);
  });
  form.addEventListener('submit', async (event) => {
    if (event.submitter?.name) return;
    event.preventDefault();
    if (await update()) createButton().focus();
    else form.submit();
  });
  // A page that is loaded again has the same form, of which the same values create no second token.
  const { form_id: id, form_token: token } = form.elements;
  id.value = history.state?.form ?? token.value;
  history.replaceState({ ...history.state, form: id.value }, '');
  void update();

  /** Shows the summary of the form, or what must be corrected in it. Returns whether a token can be created. */
  async function update() {
    clearTimeout(timer);
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    const body = new URLSearchParams(new FormData(form));
    body.set('live', 'yes');
    try {
      const response = await fetch(form.action, { method: 'POST', body, signal });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      if (signal.aborted) return false;
      const summary = page.querySelector('[data-summary]');
      // Its addresses are relative to its own page.
      for (const name of ['action', 'href'])
        for (const part of summary.querySelectorAll(`[${name}]:not([${name}^="#"])`))
          part.setAttribute(name, new URL(part.getAttribute(name), response.url));
      place.replaceChildren(...summary.childNodes);
      place.dispatchEvent(new Event('shown', { bubbles: true }));
      settle(place.querySelector('.unfinished'));
      return createButton() !== null;
    } catch {
      // The next page has the summary.
      if (!signal.aborted) place.replaceChildren(proceed);
      return false;
    }
  }

  /** Removes the errors of fields that are right now. */
  function settle(unfinished) {
    const left = [...(unfinished?.querySelectorAll('a') ?? [])].map(({ hash }) => hash.slice(1));
    for (const wrong of form.querySelectorAll('.wrong')) {
      const field = document.getElementById(wrong.id.replace('-wrong', ''));
      if (left.includes(field.id)) continue;
      field.removeAttribute('aria-invalid');
      wrong.remove();
    }
    const box = document.querySelector('main > .problem');
    // Without a link, it concerns no field.
    if (!box?.querySelector('a')) return;
    if (!unfinished) box.remove();
    else if (box.textContent !== unfinished.textContent)
      box.replaceChildren(...unfinished.cloneNode(true).childNodes);
  }
})();
