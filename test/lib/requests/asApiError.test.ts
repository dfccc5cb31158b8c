import { Deadline } from '../../../lib/async/withTimeout';
import { DatabaseFailure } from '../../../lib/database/DatabaseFailure';
import { ApiError } from '../../../lib/errors/ApiError';
import { checkKeys, InvalidInput } from '../../../lib/errors/InvalidInput';
import { asApiError, deadlineError } from '../../../lib/requests/asApiError';

test.each([
  ['a failure of the database', new DatabaseFailure('list.read', 'ECONNRESET'), 'unavailable'],
  ['an error of the panel', new TypeError('secret'), 'internal_error'],
  ['an invalid input', new InvalidInput('name', 'secret'), 'internal_error'],
  ['a text', 'secret', 'internal_error'],
])('%s is for the client an error without its text, with the cause for the log', (_what, thrown, code) => {
  const error = asApiError(thrown);
  expect(error).toMatchObject({ name: 'ApiError', code, details: {}, cause: thrown });
  expect(error.message).not.toContain('secret');
});

test('an error that is thrown without a value has the cause null', () => {
  expect(asApiError(undefined)).toMatchObject({ code: 'internal_error', cause: null });
});

test('an error of the API stays as it is', () => {
  const error = new ApiError('query_invalid', { parameter: 'limit', expected: 'a number' });
  expect(asApiError(error)).toBe(error);
});

test('an invalid input carries its name, the name of the input, and the reason', () => {
  const { name, input, message } = new InvalidInput('expires', 'Too late.');
  expect({ name, input, message }).toEqual({ name: 'InvalidInput', input: 'expires', message: 'Too late.' });
});

test('the end of a deadline is for the client a panel that cannot answer now, and for the log the deadline', () => {
  expect(deadlineError()).toMatchObject({ code: 'unavailable', cause: expect.any(Deadline) });
});

test('a property of an unknown name is an invalid input of the request', () => {
  const check = () => checkKeys({ nmae: 'x' }, 'A new token', ['name', 'note']);
  expect(check).toThrow(
    new InvalidInput(
      'request',
      'Unknown property nmae. Did you mean name? A new token may have only name, note.',
    ),
  );
  expect(check).toThrow(expect.objectContaining({ input: 'request' }));
});
