const times = ['created_at', 'expires_at', 'rotated_at', 'revoked_at'];

/**
 * Does something with the module as if it was done so many seconds ago: all times that it writes move back, in the
 * tokens, the settings and the audit trail. A real panel never writes to these tables.
 */
module.exports = async function inPast(db, seconds, act) {
  const before = new Map((await db('panel_api_tokens')).map((token) => [token.id, token]));
  const [{ entry }] = await db('panel_api_audit_log').max({ entry: 'id' });
  const [{ changed }] = await db('panel_api_settings').max({ changed: 'updated_at' });

  const result = await act();

  for (const token of await db('panel_api_tokens')) {
    const written = times.filter((time) => token[time] && token[time] !== before.get(token.id)?.[time]);
    const moved = written.map((time) => [time, token[time] - seconds]);
    if (moved.length > 0)
      await db('panel_api_tokens').where('id', token.id).update(Object.fromEntries(moved));
  }
  for (const { id, at, details } of await db('panel_api_audit_log').where('id', '>', entry ?? 0)) {
    const moved = { at: at - seconds, details: movedTimes(details, seconds) };
    await db('panel_api_audit_log').where({ id }).update(moved);
  }
  await db('panel_api_settings')
    .where('updated_at', '>', changed ?? 0)
    .decrement('updated_at', seconds);
  return result;
};

/** The details of an entry, with the expiry that it set moved back. The one before a change was moved then. */
function movedTimes(details, seconds) {
  return details.replace(/(?<="(?:expires_at|to)":")\d{4}-[^"]+/g, (time) =>
    new Date(Date.parse(time) - seconds * 1000).toISOString().replace('.000Z', '+00:00'),
  );
}
