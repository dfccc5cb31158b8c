// Days of a chart by keyboard: one of them is in the order of Tab, the arrow keys go to the others.
(() => {
  for (const group of document.querySelectorAll('[data-days]')) {
    const days = [...group.children];
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -days.length, End: days.length };
    group.setAttribute('aria-description', group.dataset.days);
    for (const day of days) day.tabIndex = -1;
    days.at(-1).tabIndex = 0;

    group.addEventListener('focusin', ({ target }) => {
      for (const day of days) day.tabIndex = day === target ? 0 : -1;
      delete group.dataset.quiet;
    });
    group.addEventListener('pointermove', () => delete group.dataset.quiet);
    group.addEventListener('keydown', (event) => {
      // Escape hides what is shown, without moving the focus.
      if (event.key === 'Escape') group.dataset.quiet = '';
      const step = steps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const next = days.indexOf(document.activeElement) + step;
      days[Math.max(0, Math.min(days.length - 1, next))].focus();
    });
  }
})();
