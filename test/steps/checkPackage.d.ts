/** Packs the module and uses the tarball as a panel would, if `whole` on every Node. Rejects if anything is wrong. */
export function checkPackage(how?: { readonly whole?: boolean }): Promise<void>;
