const fs = require('node:fs');
const path = require('node:path');

const files = Object.fromEntries(
  ['panel.css', 'panel.svg'].map((name) => [`/${name}`, fs.readFileSync(path.join(__dirname, name), 'utf8')]),
);

/** The style sheet and the icon, also for those who are not signed in. */
module.exports = function stylesheet(ctx, next) {
  if (!Object.hasOwn(files, ctx.path)) return next();
  ctx.type = path.extname(ctx.path);
  ctx.body = files[ctx.path];
};
