import {
  count,
  derived,
  id,
  milliseconds,
  openWord,
  percent,
  required,
  text,
  time,
  word,
} from '../lib/fields';
import { listOperation } from '../lib/operations/Operation';
import { durationMs } from '../lib/time/time';

export const jobs = listOperation({
  name: 'jobs',
  scope: 'jobs.read',
  tag: 'Jobs and scheduling',
  title: 'Jobs',
  description: 'The work that the panel does in the background.',
  fields: {
    id: required(id('Identifier of the job.')),
    type: required(openWord("Kind of work, in the panel's own words.")),
    status: required(word('State of the job.', ['queued', 'running', 'succeeded', 'failed', 'cancelled'])),
    account_id: id('The account that it is for.', 'accounts'),
    target_type: text('Kind of thing that it works on, such as website.'),
    target_id: id('Identifier of the thing that it works on.'),
    progress_percent: percent('How much of it is done, 0 to 100.'),
    attempts: count('How often it was tried.'),
    max_attempts: count('How often it may be tried; null for no limit.'),
    queued_at: time('When it was queued.'),
    started_at: time('When it began; null while it is queued.'),
    finished_at: time('When it ended; null before that.'),
    duration_ms: derived(
      milliseconds('How long it took, in milliseconds; null before its end.'),
      ['started_at', 'finished_at'],
      ({ started_at, finished_at }) => durationMs(started_at, finished_at),
    ),
    actor: text('Who asked for it.'),
    error: text('Why it failed; null if it did not.'),
  },
});
