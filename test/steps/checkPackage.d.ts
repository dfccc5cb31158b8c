/** Packs the module and uses the tarball as a panel would. Rejects if anything is wrong. */
export function checkPackage(): Promise<void>;
