import type { Cancellation } from '../lib/async/Cancellation';
import type { Installation } from '../lib/Installation';
import { readInPlace } from '../lib/lists/ListReader';
import type { EndpointContext } from '../lib/requests/Endpoint';
import type { Readable } from '../lib/requests/passChecks';
import type { Family } from './exposition';
import { ListView } from './ListView';

/** What a reading has to read with. */
export interface ReadingContext {
  readonly mount: Installation;
  /** The endpoint of the reading, as the token may read it. */
  readonly readable: Readable;
  readonly request: EndpointContext;
  /** Ends when the reading has taken too long. */
  readonly end: Cancellation;
}

/** Some metrics that are read together. */
export interface Reading {
  /** Its name in the label `list`. */
  readonly name: string;
  /** The endpoint whose scope and account decide who sees it. */
  readonly endpoint: string;
  /** Calls `begin` when it no longer waits for its turn. */
  readonly read: (context: ReadingContext, begin: () => void) => Promise<readonly Family[]>;
}

/** A reading of a list, in one slot of the token's. */
export function listReading(name: string, read: (list: ListView) => Promise<readonly Family[]>): Reading {
  return {
    name,
    // A part of a list is named after it.
    endpoint: name.replace(/\..*/, ''),
    async read({ mount, readable, request: { token }, end }, begin) {
      if (!('list' in readable)) throw new TypeError(`${name} is no list.`);
      const { endpoint, list } = readable;
      const place = { resource: endpoint.name, source: list.source };
      return readInPlace(mount.readDatabase.reading(token.id), place, (run) => {
        begin();
        return read(new ListView({ endpoint, list, end, run }));
      });
    },
  };
}
