export interface ShellPart {
  raw: string;
  isWord: boolean;
}

// A gap is blanks, continued lines and the operators of the shell; a word is anything else, quotes taken whole,
// the last one even if it is not closed. No alternative overlaps another, so that the time is linear.
const PARTS =
  /((?:\\\r?\n|\$(?=\()|[\s;|&()<>`])+)|(?:\\(?!\r?\n)[\s\S]|\\$|'[^']*'?|"(?:\\[\s\S]|[^"\\])*"?|\$(?!\()|[^\s;|&()<>`'"\\$])+/g;

/**
 * A command cut into words and the gaps between them, as a POSIX shell would cut it, all of it as it is written:
 * joined, the parts give the command again.
 */
export function splitShellWords(command: string): ShellPart[] {
  return Array.from(command.matchAll(PARTS), ([raw, gap]) => ({ raw, isWord: gap === undefined }));
}
