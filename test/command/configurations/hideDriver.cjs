const Module = require('node:module');

const resolve = Module._resolveFilename;

// As if the package were not installed.
Module._resolveFilename = function resolveFilename(request, ...rest) {
  const { TEST_HIDDEN: hidden } = process.env;
  if (request === hidden || request.endsWith(`/node_modules/${hidden}`))
    throw Object.assign(new Error(request), { code: 'MODULE_NOT_FOUND' });
  return resolve.call(this, request, ...rest);
};
