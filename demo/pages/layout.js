const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text) {
  return text.replace(/[&<>"]/g, (character) => entities[character]);
}

/** A page of the panel. The API section's pages use this layout too. */
module.exports = function layout({ title, head = '', content, actor }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} - Demo Panel</title>
<link rel="stylesheet" href="/panel.css">
${head}
</head>
<body>
${actor ? menu(actor) : ''}
<div class="page">${content}</div>
</body>
</html>
`;
};

function menu(actor) {
  return `<header><nav aria-label="Panel"><a href="/">Demo Panel</a> <a href="/admin/api/">API</a> <a href="/settings">Settings</a></nav>
<form method="post" action="/logout">${escaped(actor)} <button>Sign out</button></form></header>`;
}
