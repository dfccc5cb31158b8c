/** The form that edits a token, its review, and the form that duplicates one. */
export const editTexts = {
  'edit.title': 'Edit {name}',
  'edit.submit': 'Save the changes',
  'edit.cancel': 'Cancel',
  'edit.review.title': 'Review the changes of {name}',
  'edit.review.hint': 'These changes give the token more rights. Check them before you save.',
  'edit.review.back': 'Change something',
  'edit.wider': 'more than now',
  'edit.ended': 'The token is no longer active, so it cannot be edited. Nothing was saved.',
  'edit.stale':
    'The token was changed while you edited it. Nothing was saved. Your own changes are in the form: check them and save again.',
  'edit.stale.by': 'Changed by {person} {time}:',
  'edit.stale.rotated': 'Rotated by {person} {time}. The token expires {expires}.',
  'duplicate.of': 'Filled in with the values of token {token}.',
  'duplicate.name': '{name} (copy)',
} as const;
