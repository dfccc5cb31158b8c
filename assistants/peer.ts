import { dirname } from 'node:path';

/** The package that speaks the protocol. It is an optional peer, and not within a bundle of the panel. */
const PEER = '@modelcontextprotocol/server';

/**
 * Finds the package beside this module, or beside the panel's program if this module is linked. Throws an Error that says
 * what to install.
 */
export function locatePeer(): string {
  try {
    return require.resolve(PEER, { paths: [__dirname, dirname(process.argv[1] ?? '')] });
  } catch (cause) {
    throw new Error(`createMcp needs the package ${PEER}: npm install ${PEER}@2`, { cause });
  }
}

/** Loads the package from this file. A panel whose assistants send nothing does not pay for it. */
export function loadPeer(file: string): typeof import('@modelcontextprotocol/server') {
  return require(file);
}
