/** The page that says what a list lacks, and how it is mapped. */
export const mappingTexts = {
  'mapping.title': 'Lists without a table',
  'mapping.hint':
    'A list is read from the table of its own name, unless the mount option {option} names another table, a query or a function of the panel. Until a list has a source, its endpoint answers 501, which tells programs that there is no such data.',
  'mapping.none': 'Every list has a source.',
  'mapping.example': 'In the options of the mount',
  'mapping.more':
    'The file {file} of the package shows it step by step. {command} compares each list with the database.',
} as const;
