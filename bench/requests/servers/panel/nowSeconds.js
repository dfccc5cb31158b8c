const nowSeconds = () => Math.floor(Date.now() / 1000);

module.exports = { nowSeconds };
