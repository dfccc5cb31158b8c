import type { Installation } from './Installation';

const INSTALLATION = Symbol('installation');

/** The API with what it consists of, for the module's own use. */
export function attachInstallation<T extends object>(api: T, installation: Installation): T {
  return Object.defineProperty(api, INSTALLATION, { value: installation });
}

/** What an API consists of; null for whatever createPanelApi did not make. */
export function installationOf(api: unknown): Installation | null {
  if ((typeof api !== 'object' && typeof api !== 'function') || api === null) return null;
  return (api as { [INSTALLATION]?: Installation })[INSTALLATION] ?? null;
}
