const { runCommand } = require('../runCommand');

/** The user and the group of a server that refuses to run as root, or undefined if the tests do not run as root. */
async function unprivilegedIdentity(user) {
  if (process.getuid() !== 0) return undefined;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => Number(await runCommand('id', [option, user]))),
  );
  return { uid, gid };
}

module.exports = { unprivilegedIdentity };
