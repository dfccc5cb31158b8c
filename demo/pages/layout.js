const { Html, html } = require('./html');

const menu = [
  ['/', 'Dashboard'],
  ['/accounts', 'Accounts'],
  ['/domains', 'Domains'],
  ['/certificates', 'Certificates'],
  ['/backups', 'Backups'],
  ['/jobs', 'Jobs'],
  ['/services', 'Services'],
  ['/mails', 'Mails'],
  ['/admin/api', 'API'],
  ['/settings', 'Settings'],
];

/** A customer has only the pages of the API. */
const customersMenu = [['/my/api', 'API']];

/** A page of the panel. The pages of both API sections use this layout too: `head` and `content` are HTML. */
module.exports = function layout({ title, head = '', content, actor, ctx }) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - Demo Panel</title>
<link rel="icon" href="/panel.svg">
<link rel="stylesheet" href="/panel.css">
${new Html(head)}
</head>
<body${actor ? '' : html` class="signed-out"`}>
${actor ? frame(actor, ctx.path, ctx.state.account ? customersMenu : menu) : ''}
<div class="page" id="page" tabindex="-1">
${content instanceof Html ? html`<main class="own">${content}</main>` : new Html(content)}
</div>
</body>
</html>
`.text;
};

function frame(actor, path, entries) {
  const isCurrent = (to) => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`));
  return html`<a class="skip" href="#page">Skip to the content</a>
<header class="panel">
<a class="brand" href="/">Demo Panel</a>
<nav aria-label="Panel">${entries.map(([to, name]) => html`<a href="${to}"${isCurrent(to) ? html` aria-current="page"` : ''}>${name}</a>`)}</nav>
<details class="user"><summary>${actor}</summary>
<form method="post" action="/logout"><button>Sign out</button></form></details>
</header>`;
}
