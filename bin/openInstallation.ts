import { InvalidInput } from '../lib/errors/InvalidInput';
import { createInstallation, type Installation } from '../lib/Installation';
import type { Logger, MountOptions } from '../lib/options/MountOptions';
import { operations } from '../routes';
import type { GlobalOptions } from './GlobalOptions';
import { mountOptions } from './mountOptions';
import { queryPatienceMs } from './patience';
import { silenceKnex } from './silenceKnex';

const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The installation that the command works on, as the panel's mount would have it. Throws InvalidInput. */
export async function openInstallation(global: GlobalOptions): Promise<Installation> {
  const options = {
    ...(await mountOptions(global)),
    logger: silent,
    deadlineMs: queryPatienceMs,
  } as unknown as MountOptions;
  const installation = assembled(options);
  silenceKnex(installation.database.knex);
  return installation;
}

function assembled(options: MountOptions): Installation {
  try {
    return createInstallation(options, operations);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InvalidInput('config', error.message.replace(/^createPanelApi: t/, 'T'));
  }
}
