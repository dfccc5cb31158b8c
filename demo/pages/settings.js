const { html } = require('./html');
const layout = require('./layout');
const readForm = require('./read-form');

const shown = ['panel.name', 'panel.url', 'panel.language', 'panel.timezone', 'backups.retention_days'];

/** The panel's own settings page. Its only setting of the API is the switch. */
module.exports = function settings(db, api) {
  return async function settingsMiddleware(ctx, next) {
    if (ctx.path !== '/settings') return next();
    if (ctx.method === 'POST') return save(ctx, api);
    const isOn = await api.settings.enabled();
    const found = await db('settings').whereIn('key', shown);
    const rows = found.toSorted((one, other) => shown.indexOf(one.key) - shown.indexOf(other.key));
    ctx.type = 'html';
    ctx.body = layout({
      title: 'Settings',
      actor: ctx.state.actor,
      ctx,
      content: html`<h1>Settings</h1>
<section class="card narrow"><h2>General</h2>
<dl>${rows.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl></section>
<form method="post" action="/settings" class="card narrow"><h2>API</h2>
<p><label><input type="checkbox" name="api"${isOn ? html` checked` : ''}> The API is switched on</label><br>
<small>Scripts and billing systems read the panel with tokens. You create them under <a href="/admin/api/">API</a>.</small></p>
<p><button class="primary">Save</button></p></form>`,
    });
  };
};

async function save(ctx, api) {
  const fields = await readForm(ctx);
  const author = { actor: ctx.state.actor, origin: 'panel', address: ctx.ip };
  if (fields.has('api')) await api.settings.enable(author);
  else await api.settings.disable(author);
  ctx.status = 303;
  ctx.set('Location', '/settings');
}
