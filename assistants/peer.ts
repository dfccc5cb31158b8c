/** The package that speaks the protocol. It is an optional peer, and not within a bundle of the panel. */
const PEER = '@modelcontextprotocol/server';

/** Throws an Error that says what to install if the package cannot be found. */
export function requirePeer(): void {
  try {
    require.resolve(PEER);
  } catch (cause) {
    throw new Error(`createMcp needs the package ${PEER}: npm install ${PEER}@2`, { cause });
  }
}

/** Loads the package. A panel whose assistants send nothing does not pay for it. */
export function loadPeer(): Promise<typeof import('@modelcontextprotocol/server')> {
  return import(PEER);
}
