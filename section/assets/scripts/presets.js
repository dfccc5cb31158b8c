// Does in the page what these buttons of a token's form do by a request if there is no script.
(() => {
  const announcer = document.querySelector('[data-announcer]');
  for (const button of document.querySelectorAll('[data-scopes]')) {
    const scopes = button.dataset.scopes.split(' ');
    inPlace(button, () => {
      for (const box of button.form.elements.scope) box.checked = scopes.includes(box.value);
    });
  }
  for (const button of document.querySelectorAll('[data-add]')) {
    const field = document.getElementById(button.dataset.add);
    inPlace(button, () => {
      const lines = new Set(field.value.split('\n').filter((line) => line.trim() !== ''));
      field.value = [...lines.add(button.value)].join('\n');
    });
  }

  function inPlace(button, act) {
    button.addEventListener('click', (event) => {
      event.preventDefault();
      act();
      announcer.textContent = button.dataset.done;
    });
  }
})();
