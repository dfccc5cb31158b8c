function requireScope(scope) {
  return (ctx, next) => {
    const scopes = ctx.state.token.scopes.split(' ');
    if (!scopes.includes('*') && !scopes.includes(scope)) ctx.throw(403, `The token lacks ${scope}.`);
    return next();
  };
}

module.exports = { requireScope };
