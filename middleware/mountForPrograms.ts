import type { Context } from 'koa';
import { API_PATH } from '../lib/fields/Operation';
import { optionsValidator } from '../lib/options/validateOptions';
import { loadedObject } from '../lib/requests/Endpoint';
import { PanelReader } from '../lib/requests/PanelReader';
import type { AnswerContent } from './answerInEnvelope';
import { answering, RouterOfEveryMethod } from './createRouter';
import { forOtherHosts } from './hosts';
import { installationOf, type PanelApi } from './PanelApi';

/**
 * Returns the validator of the options of a mount for programs beside the API: `api`, `path` with this default, and those
 * that `others` describes.
 */
export function mountOptionsValidator<Options, Checked = Required<Options>>(
  caller: string,
  usualPath: string,
  others: Readonly<Record<Exclude<keyof Options, 'api' | 'path'>, object>>,
) {
  const properties = {
    api: {
      holds: (value: unknown) => installationOf(value) !== null,
      expects: 'must be the value that createPanelApi returned',
    },
    path: {
      type: 'string',
      pattern: `^(?!${API_PATH}(?:/|$))(?:/[\\w.~-]+)+$`,
      default: usualPath,
      expects: `must be a path such as ${usualPath}, and neither ${API_PATH} nor below it`,
    },
    ...others,
  };
  return optionsValidator<Options, Checked>(caller, { properties, required: ['api'] });
}

interface ProgramMount {
  readonly api: PanelApi;
  /** How the log and the counts of use name it. */
  readonly name: string;
  readonly path: string;
  /** A pattern for what may follow the path. */
  readonly end?: string;
  /** The scopes of which a token needs one, with spaces between them. */
  readonly scope?: string;
}

/**
 * Returns the router of a mount for programs beside the API, which is one path. `answer` calls `admit` to count the
 * request and to read for it.
 */
export function mountForPrograms(
  { api, name, path, end = '', scope = '' }: ProgramMount,
  answer: (ctx: Context, admit: () => Promise<PanelReader>) => Promise<AnswerContent>,
) {
  const installation = installationOf(api);
  installation.mounts.set(name, path);
  const endpoint = {
    name,
    kind: 'object',
    apart: true,
    scope,
    tag: 'Platform and health',
    title: name,
    description: '',
    fields: {},
    // It is no endpoint that could be read.
    load: async () => loadedObject(name, {}),
  } as const;
  const serve = answering(installation)(endpoint, (request, ctx) =>
    answer(ctx, () => PanelReader.admit(request, installation)),
  );
  const router = new RouterOfEveryMethod({ strict: true, sensitive: true });
  router.all(path + end, serve);
  return forOtherHosts(router, { prefix: path, log: installation.log });
}
