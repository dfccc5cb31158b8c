/** Programs that a test starts, and the Debian packages that have them. */
interface Need {
  readonly programs: readonly string[];
  readonly debianPackages: readonly string[];
}

/** Installs the programs that the tests need and this machine lacks, these beside the usual ones. */
export function providePrograms(more?: readonly Need[]): Promise<void>;
