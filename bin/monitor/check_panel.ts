#!/usr/bin/env node
import { outcome } from './outcome';
import { cleaned, STATES, type State } from './report';

const end = (state: State, output: string) =>
  process.stdout.write(output, () => process.exit(STATES.indexOf(state)));

// Node's own exit code of an error, 1, would be a warning.
process.on('uncaughtException', (error) => end('UNKNOWN', `PANEL UNKNOWN - ${cleaned(error)}\n`));

void outcome(process.argv.slice(2), process.env).then((result) => end(...result));
