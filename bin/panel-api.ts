#!/usr/bin/env node
import { guardLoading } from './codeWarnings';
import { endingOf, exitCodes } from './exit';
import { printNote, silenceStdout } from './output';
import { createProgram } from './program';

void main(process.argv.slice(2));

/** Runs one command, then ends the process explicitly, because a panel's configuration may keep it alive. */
async function main(words: readonly string[]): Promise<never> {
  silenceStdout();
  guardLoading(end);
  // An error of a configuration or a driver may contain secrets, so nothing of it is printed.
  process.on('uncaughtException', (error) => end(error));
  try {
    await createProgram().parseAsync([...words], { from: 'user' });
  } catch (error) {
    end(error);
  }
  process.exit(exitCodes.done.code);
}

function end(error: unknown): never {
  const { exit, sentence } = endingOf(error);
  if (sentence !== null) printNote(sentence);
  process.exit(exitCodes[exit].code);
}
