#!/usr/bin/env node
import { guardLoading } from './codeDoubts';
import { describeFailure, exitCodes } from './exit';
import { printNote, silenceStdout } from './output';
import { createProgram } from './program';

void main(process.argv.slice(2));

/** Runs one command. It ends the process itself, because a panel's configuration may have opened anything. */
async function main(words: readonly string[]): Promise<never> {
  silenceStdout();
  guardLoading(end);
  // What comes from the depths of a configuration or a driver may carry anything: nothing of it is printed.
  process.on('uncaughtException', (error) => end(error));
  try {
    await createProgram().parseAsync([...words], { from: 'user' });
  } catch (error) {
    end(error);
  }
  process.exit(exitCodes.done.code);
}

function end(error: unknown): never {
  const { exit, sentence } = describeFailure(error);
  if (sentence !== null) printNote(sentence);
  process.exit(exitCodes[exit].code);
}
