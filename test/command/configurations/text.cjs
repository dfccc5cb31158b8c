module.exports = 's3cret';
