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
  // A page that is shown again has the summary of its URL, so that the same form creates no second token.
  if (new URLSearchParams(location.search).has('form')) void show(`review${location.search}`);
  else void update();

  function update() {
    clearTimeout(timer);
    const body = new URLSearchParams(new FormData(form));
    return form.matches(':valid') && body.has('scope')
      ? show(form.action, { method: 'POST', body })
      : put(incomplete);
  }

  /** Shows the summary of the page that is fetched. Returns whether there is one. */
  async function show(url, init) {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      const response = await fetch(url, { ...init, signal });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      if (signal.aborted) return false;
      const summary = page.querySelector('[data-summary]');
      if (!summary) return put(incomplete);
      history.replaceState(null, '', response.url.replace('/review?', '/new?'));
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
