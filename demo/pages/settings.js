const layout = require('./layout');
const readForm = require('./read-form');

/** The panel's own settings page. Its only setting of the API is the switch. */
module.exports = function settings(api) {
  return async function settingsMiddleware(ctx, next) {
    if (ctx.path !== '/settings') return next();
    if (ctx.method === 'POST') return save(ctx, api);
    const isOn = await api.settings.enabled();
    ctx.type = 'html';
    ctx.body = layout({
      title: 'Settings',
      actor: ctx.state.actor,
      content: `<h1>Settings</h1>
<form method="post" action="/settings"><p><label><input type="checkbox" name="api"${isOn ? ' checked' : ''}> The API is switched on</label></p>
<p><button>Save</button></p></form>`,
    });
  };
};

async function save(ctx, api) {
  const fields = await readForm(ctx);
  const author = { actor: ctx.state.actor, origin: 'panel' };
  if (fields.has('api')) await api.settings.enable(author);
  else await api.settings.disable(author);
  ctx.status = 303;
  ctx.set('Location', '/settings');
}
