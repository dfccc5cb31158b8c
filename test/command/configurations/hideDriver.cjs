const Module = require('node:module');

const resolve = Module._resolveFilename;

// As if the package were not installed.
Module._resolveFilename = function resolveFilename(request, ...rest) {
  if (request === process.env.TEST_HIDDEN)
    throw Object.assign(new Error(request), { code: 'MODULE_NOT_FOUND' });
  return resolve.call(this, request, ...rest);
};
