const fs = require('node:fs');
const path = require('node:path');

const css = fs.readFileSync(path.join(__dirname, 'panel.css'), 'utf8');

module.exports = function stylesheet(ctx, next) {
  if (ctx.path !== '/panel.css') return next();
  ctx.type = 'css';
  ctx.body = css;
};
