// The list of tokens: filters its rows while the user types, and counts those that are selected.
(() => {
  // A choice by the pointer is enough. The keyboard goes through the words of a choice one by one.
  for (const choice of document.querySelectorAll('#filters select')) {
    let isPointed = false;
    choice.addEventListener('pointerdown', () => {
      isPointed = true;
    });
    choice.addEventListener('keydown', () => {
      isPointed = false;
    });
    choice.addEventListener('change', () => {
      if (isPointed) choice.form.requestSubmit();
    });
  }

  const table = document.getElementById('tokens');
  if (!table) return;
  const rows = [...table.tBodies[0].rows];

  for (const input of document.querySelectorAll('[data-filter="tokens"]')) {
    const note = document.getElementById('tokens-note');
    input.addEventListener('input', () => {
      const typed = input.value.trim().toLowerCase();
      for (const row of rows) row.hidden = !isMatch(row, typed);
      table.hidden = rows.every((row) => row.hidden);
      note.textContent = table.hidden ? (input.validity.valid ? input.dataset.none : input.title) : '';
    });
  }

  function isMatch(row, typed) {
    if (/^#\d+$/.test(typed)) return row.dataset.id === typed.slice(1);
    return row.querySelector('th').textContent.toLowerCase().includes(typed);
  }

  const bar = document.querySelector('[data-selection]');
  if (!bar) return;
  const count = bar.querySelector('[data-selected]');
  const all = table.querySelector('[data-select-all]');
  const boxes = rows.map((row) => row.querySelector('input')).filter(Boolean);
  const shown = () => boxes.filter((box) => !box.closest('tr').hidden);

  function update() {
    const selected = boxes.filter((box) => box.checked).length;
    bar.hidden = selected === 0;
    count.textContent = selected === 0 ? '' : count.dataset.selected.replace('{count}', selected);
    all.checked = selected > 0 && shown().every((box) => box.checked);
    all.indeterminate = selected > 0 && !all.checked;
  }

  all.hidden = false;
  all.addEventListener('change', () => {
    for (const box of shown()) box.checked = all.checked;
    update();
  });
  for (const box of boxes) box.addEventListener('change', update);
  // A browser that goes back restores the boxes after this script has run.
  addEventListener('pageshow', update);
  update();
})();
