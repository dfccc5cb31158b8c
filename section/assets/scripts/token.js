// The page of a new token: a button opens the reference in a window of its own, which asks this page for the token. It is
// only in the memory of these two pages.
(() => {
  const button = document.querySelector('[data-hand-over]');
  if (!button) return;
  let reference;
  button.hidden = false;
  button.addEventListener('click', () => {
    reference = open(button.dataset.handOver);
  });
  addEventListener('message', ({ source, origin }) => {
    const field = document.getElementById('token');
    if (field && source === reference && origin === location.origin)
      reference.postMessage(field.value, location.origin);
  });
})();
