setImmediate(() => {
  throw new Error('mysql://root:s3cret@localhost/panel went away');
});
module.exports = () => new Promise(() => {});
