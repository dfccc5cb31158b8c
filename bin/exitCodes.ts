interface ExitCode {
  readonly code: number;
  /** When the command ends with it, for `--help`. */
  readonly when: string;
}

/** How the command ends: every exit code in one row. */
export const exitCodes = {
  done: { code: 0, when: 'Done.' },
  missing: { code: 1, when: 'There is no such token, or check found something missing.' },
  usage: { code: 2, when: 'Wrong usage or input; nothing was changed.' },
  database: { code: 3, when: 'The database cannot be reached or failed.' },
  setup: {
    code: 4,
    when: 'A driver or a table that is needed is not in place, the configuration file fails, or another user may change code that would be run.',
  },
  output: {
    code: 5,
    when: 'The output cannot be written. A token that could not be shown is not valid; every other change is done.',
  },
  unexpected: { code: 70, when: 'Something unexpected went wrong.' },
} as const satisfies Readonly<Record<string, ExitCode>>;

export type Exit = keyof typeof exitCodes;

/** The codes as `--help` lists them. */
export function exitCodesHelp(): string {
  const lines = Object.values(exitCodes).map(({ code, when }) => `  ${String(code).padEnd(4)}${when}`);
  return ['Exit codes:', ...lines].join('\n');
}
