import type { Context } from 'koa';
import { isActor } from '../lib/audit/AuditLog';
import { administratorsView } from './administratorsView';
import { type MountedSection, mountSection } from './mountSection';
import { addressNotice, offNotice } from './notices';
import { pages } from './pages';
import { functionRule, type SectionOptions, sectionValidator } from './SectionOptions';

export type { LayoutParts } from './SectionOptions';
export type { SectionTexts } from './texts';

/** The options of `createApiSection`. Only `api` and `authorize` are required. */
export interface ApiSectionOptions extends SectionOptions {
  /**
   * Returns the name of the administrator who sends the request, 1 to 128 characters, for the audit trail. For any
   * other value the section answers 403, unless the function has answered itself, for example with a redirect to a
   * login. A value that is neither a name nor empty, such as `true`, is also noted in the log, once.
   */
  readonly authorize: (
    ctx: Context,
  ) => string | null | undefined | false | Promise<string | null | undefined | false>;
}

/** The router of a mounted section. */
export type ApiSection = MountedSection;

const partsOf = sectionValidator<ApiSectionOptions>('createApiSection', 'authorize', {
  authorize: functionRule("returns the administrator's name"),
});

/**
 * Creates the API section: pages on which an administrator turns the API on, creates and revokes tokens and reads the
 * audit trail. Mount it behind the panel's own login: `app.use(createApiSection({ api, authorize }).routes())`. It
 * answers only its own paths; all other requests go on to the panel. Throws a TypeError that names a missing, unknown
 * or wrong option.
 */
export function createApiSection(options: ApiSectionOptions): ApiSection {
  const parts = partsOf(options);
  return mountSection(options, parts, pages, {
    origin: 'api-section',
    ask: (ctx) => options.authorize(ctx),
    personOf: (name) => (isActor(name) ? { actor: name, origin: 'api-section' } : null),
    wrongAnswer: "panel-api authorize must return the administrator's name, or null",
    viewFor: administratorsView,
    notices: async (request) => [await offNotice(request), addressNotice(request)],
  });
}
