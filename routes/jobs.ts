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
import { listOperation } from '../lib/fields/Operation';
import { panelText } from '../lib/masking/credentials';
import { durationMs } from '../lib/time/time';

export const jobs = listOperation({
  name: 'jobs',
  tag: 'Jobs and scheduling',
  title: 'Jobs',
  item: 'Job',
  description: 'Every background job of the panel.',
  fields: {
    id: required(id('Identifier of the job.')),
    type: required(openWord("Type of the job, in the panel's own words.")),
    status: required(word('Status of the job.', ['queued', 'running', 'succeeded', 'failed', 'cancelled'])),
    account_id: id('Identifier of the account that the job is for.', 'accounts'),
    target_type: text('Type of the object that the job processes, such as website.'),
    target_id: id('Identifier of the object that the job processes.'),
    progress_percent: percent('Progress of the job in percent, 0 to 100.'),
    attempts: count('Number of times that the panel has tried to run the job.'),
    max_attempts: count('Maximum number of attempts; null for no limit.'),
    queued_at: time('Time when the job was queued.'),
    started_at: time('Time when the job started; null while it is queued.'),
    finished_at: time('Time when the job finished; null until then.'),
    duration_ms: derived(
      milliseconds('Duration of the job in milliseconds; null until it has finished.'),
      ['started_at', 'finished_at'],
      ({ started_at, finished_at }) => durationMs(started_at, finished_at),
    ),
    actor: text('Name of the person or program that requested the job.'),
    error: panelText('Reason why the job failed; null if it did not fail.'),
  },
});
