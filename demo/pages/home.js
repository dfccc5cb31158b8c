const fs = require('node:fs');
const path = require('node:path');
const layout = require('./layout');

const content = fs.readFileSync(path.join(__dirname, 'home.html'), 'utf8');

module.exports = function home(ctx, next) {
  if (ctx.path !== '/') return next();
  ctx.type = 'html';
  ctx.body = layout({ title: 'Demo Panel', content, actor: ctx.state.actor });
};
