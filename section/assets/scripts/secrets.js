// A browser may keep a page that was left, and show it again unchanged: without its secrets.
(() => {
  addEventListener('pagehide', () => {
    for (const secret of document.querySelectorAll('[data-secret]')) secret.remove();
  });
})();
