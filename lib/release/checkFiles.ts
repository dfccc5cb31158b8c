import { join } from 'node:path';
import type { CheckResult } from '../options/MountOptions';
import { digestFiles, publishedDigests } from './digests';

const MOST_NAMED = 10;

/** Whether the module's files are those that it was published with. */
export async function checkFiles(folder = join(__dirname, '..', '..')): Promise<CheckResult> {
  const published = await publishedDigests(folder);
  if (!published) return { status: 'warn', detail: 'The module runs from its source and was not published.' };
  const present = await digestFiles(folder);
  const names = new Set([...Object.keys(published), ...Object.keys(present)]);
  const changed = [...names].filter((name) => published[name] !== present[name]);
  if (changed.length === 0) return { status: 'pass', detail: `${names.size} files are as published.` };
  return { status: 'fail', detail: `Not as published: ${changed.slice(0, MOST_NAMED).join(', ')}.` };
}
