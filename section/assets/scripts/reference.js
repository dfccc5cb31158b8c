// The reference: writes the request that is filled in, and sends it with a token that is only in the page's memory.
(() => {
  const settings = document.querySelector('[data-reference]');
  if (!settings) return;
  const words = settings.dataset;
  const statuses = JSON.parse(words.statuses);
  const { lang } = settings.closest('[lang]');
  const tokenField = settings.querySelector('input');
  const forms = [...document.querySelectorAll('[data-request]')];
  /** What ends the request of a form. */
  const running = new Map();
  // The pages' content security policy allows requests to their own origin only.
  const canSend = forms.every((form) => new URL(form.dataset.request).origin === location.origin);
  /** The most characters of an answer that are shown. */
  const LONGEST = 300_000;

  settings.hidden = false;
  settings.querySelector(canSend ? '[data-same-origin]' : '[data-other-origin]').hidden = false;
  settings.addEventListener('submit', (event) => event.preventDefault());
  settings.addEventListener('input', showToken);
  for (const link of document.querySelectorAll('[data-token] a'))
    link.addEventListener('click', () => tokenField.focus());
  for (const form of forms) {
    form.dataset.live = '';
    part(form, 'send').hidden = !canSend;
    form.addEventListener('input', ({ target }) => {
      if (target.dataset.another !== undefined) keepOneEmpty(form, target);
      write(form);
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (canSend) void send(form);
    });
  }
  forget();
  // A browser may keep a page that was left, and show it again unchanged.
  addEventListener('pagehide', forget);
  // The page of a new token has opened this one, and gives it the token: see token.js.
  addEventListener('message', ({ data, origin, source }) => {
    if (!canSend || origin !== location.origin || source !== opener) return;
    tokenField.value = String(data);
    showToken();
  });
  opener?.postMessage('token', location.origin);
  addEventListener('hashchange', openLinked);
  openLinked();

  function part(form, name) {
    return form.querySelector(`[data-${name}]`);
  }

  function forget() {
    settings.reset();
    showToken();
    for (const form of forms) {
      running.get(form)?.abort();
      for (const added of form.querySelectorAll('[data-added]')) added.remove();
      form.reset();
      write(form);
      show(form, '');
    }
  }

  function openLinked() {
    const linked = document.getElementById(location.hash.slice(1));
    const endpoint = linked?.closest('details.endpoint');
    if (!endpoint || endpoint.open) return;
    endpoint.open = true;
    linked.scrollIntoView();
  }

  function showToken() {
    const isSet = tokenField.value.trim() !== '';
    for (const note of document.querySelectorAll('[data-token]'))
      note.hidden = !canSend || (note.dataset.token === 'set') !== isSet;
  }

  /** Keeps one empty field for a further value. The first field stays, because it has the label. */
  function keepOneEmpty(form, changed) {
    const fields = [...form.querySelectorAll(`[name="${changed.name}"]`)];
    const empty = fields.filter(({ value }) => value === '');
    if (empty.length > 1)
      for (const field of empty) if (field !== changed && field !== fields[0]) field.remove();
    const words = changed.length - 1;
    if (empty.length > 0 || fields.length === words) return;
    const added = changed.cloneNode(true);
    added.removeAttribute('id');
    added.ariaLabel = changed.dataset.another;
    added.dataset.added = '';
    fields.at(-1).after(' ', added);
  }

  /** Shows the request as it would be sent. */
  function write(form) {
    const isFigures = [...form.querySelectorAll('[data-of="figures"]')].some(({ value }) => value !== '');
    for (const field of form.querySelectorAll('[data-of="items"]')) field.disabled = isFigures;
    const { request } = form.dataset;
    const query = queryOf(form);
    part(form, 'line').textContent = `GET ${new URL(request).pathname}${query}`;
    // Neither part contains a quote or a blank, so that a shell takes the URL as one word.
    const url = query === '' ? request : `'${request}${query}'`;
    part(form, 'curl').textContent = `curl -s -H "Authorization: Bearer $TOKEN" ${url}`;
  }

  function queryOf(form) {
    const values = new Map();
    for (const [name, value] of new FormData(form)) {
      const text = encodeURIComponent(value.trim()).replaceAll('%2C', ',').replaceAll("'", '%27');
      if (text !== '') values.set(name, [...(values.get(name) ?? []), text]);
    }
    return [...values].map(([name, texts], index) => `${index === 0 ? '?' : '&'}${name}=${texts}`).join('');
  }

  async function send(form) {
    running.get(form)?.abort();
    const abort = new AbortController();
    running.set(form, abort);
    show(form, words.sending);
    const begun = performance.now();
    try {
      const response = await fetch(form.dataset.request + queryOf(form), {
        headers: { Authorization: `Bearer ${tokenField.value.trim()}` },
        cache: 'no-store',
        signal: abort.signal,
      });
      const body = await response.blob();
      const time = performance.now() - begun;
      const text = await body.text();
      if (!abort.signal.aborted) show(form, statusOf(response, time, body.size), response, text);
    } catch {
      if (!abort.signal.aborted) show(form, words.unreachable);
    }
  }

  function statusOf({ status }, time, size) {
    const values = {
      status: `${status} ${statuses[status] ?? ''}`.trim(),
      time: Math.round(time).toLocaleString(lang),
      size: size.toLocaleString(lang),
    };
    return words.answer.replace(/\{(\w+)\}/g, (_whole, name) => values[name]);
  }

  /** Shows a status; with a response also its message if it is an error, its headers and its text. */
  function show(form, status, response, text = '') {
    const { message, written } = readable(text);
    const [answer, problem, headers] = ['answer', 'problem', 'headers'].map((name) => part(form, name));
    part(form, 'status').textContent = status;
    part(form, 'status').className = response ? `status ${response.ok ? 'good' : 'bad'}` : 'status';
    problem.textContent = response?.ok ? '' : message;
    problem.hidden = problem.textContent === '';
    headers.replaceChildren();
    for (const name of words.headers.split(' ')) {
      const value = response?.headers.get(name);
      if (value) headers.append(element('dt', name), element('dd', value));
    }
    part(form, 'body').textContent = written.slice(0, LONGEST);
    part(form, 'cut').hidden = written.length <= LONGEST;
    answer.hidden = !response;
    // Below the button that sent the request, which stays in sight.
    if (response) part(form, 'status').scrollIntoView({ block: 'start' });
  }

  /** An answer as lines, and its message if it has one. A proxy may answer with something else than JSON. */
  function readable(text) {
    try {
      const { message = '' } = JSON.parse(text);
      // A number may be longer than JavaScript's.
      const exact = (_name, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value);
      return { message, written: JSON.stringify(JSON.parse(text, JSON.rawJSON && exact), null, 2) };
    } catch {
      return { message: '', written: text };
    }
  }

  function element(name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  }
})();
