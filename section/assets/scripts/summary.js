// The summary beside the form of a new token. It is the next page if there is no script, which is fetched here.
(() => {
  const form = document.querySelector('[data-summarized]');
  if (!form) return;
  const place = document.getElementById(form.dataset.summarized);
  const incomplete = [...place.childNodes];
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

  function update() {
    clearTimeout(timer);
    const body = new URLSearchParams(new FormData(form));
    return form.matches(':valid') && body.has('scope') ? show(body) : put(incomplete);
  }

  /** Shows the summary of the form with these fields. Returns whether there is one. */
  async function show(body) {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      const response = await fetch(form.action, { method: 'POST', body, signal });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      if (signal.aborted) return false;
      const summary = page.querySelector('[data-summary]');
      if (!summary) return put(incomplete);
      // Its addresses are relative to its own page.
      for (const name of ['action', 'href'])
        for (const part of summary.querySelectorAll(`[${name}]`))
          part.setAttribute(name, new URL(part.getAttribute(name), response.url));
      return put(summary.childNodes);
    } catch {
      return signal.aborted ? false : put(incomplete);
    }
  }

  function put(parts) {
    place.replaceChildren(...parts);
    place.dispatchEvent(new Event('shown', { bubbles: true }));
    return parts !== incomplete;
  }
})();
