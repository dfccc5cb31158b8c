import { CommandFailure } from '../exit';
import type { Definition } from '../onInstallation';
import type { Terminal } from '../Terminal';
import { shownToken } from './tokens';

/** How many characters of standard input are searched. */
const LONGEST_TEXT = 65_536;

export const tokenFind: Definition = {
  description: 'show which token a text on standard input contains',
  input: readText,
  async run({ tokens }, run) {
    const record = await tokens.find(run.input);
    if (record === null) throw new CommandFailure('missing', 'The token in the text is none of this panel.');
    const end = `To end it: panel-api token revoke ${record.id}`;
    return { ...shownToken(record, run), note: record.state === 'active' ? end : undefined };
  },
};

/** Reads one line that is typed on a terminal, or all of a file. An argument would be in the list of processes. */
async function readText(terminal: Terminal): Promise<string> {
  const { stdin } = terminal.io;
  if (stdin.isTTY) terminal.note('Paste the token, and press Enter.');
  let text = '';
  for await (const chunk of stdin) {
    text += chunk;
    if (text.length >= LONGEST_TEXT || (stdin.isTTY && text.includes('\n'))) break;
  }
  return text.slice(0, LONGEST_TEXT);
}
