const who = { actor: 'demo', origin: 'panel' };

module.exports = async function demoToken(api) {
  // A plain token cannot be read again, so each start creates a new one and revokes those of earlier starts.
  for (const { id, name, state } of await api.tokens.list()) {
    if (name === 'demo' && state === 'active') await api.tokens.revoke(id, who);
  }
  if (!(await api.settings.enabled())) await api.settings.enable(who);
  const { token } = await api.tokens.create({ name: 'demo', scopes: ['*'], expiresInSeconds: 86400 }, who);
  return token;
};
