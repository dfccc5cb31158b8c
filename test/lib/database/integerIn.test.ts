import { type Engine, engines, freshDatabase } from '../../fixture/databases';
import { OutsideCalls } from '../../fixture/faults/OutsideCalls';
import { startPanel } from '../../fixture/panel';

/** More statements than any of the calls sends. */
const MOST_STATEMENTS = 6;

test.each<Engine>(engines)(
  'No number is shown that is none, if the database answers with another row (%s)',
  async (engine) => {
    const calls = new OutsideCalls();
    const { knex } = await freshDatabase(engine);
    calls.wrapHandle(engine, knex);
    const { api, token } = await startPanel({ db: knex });
    await token();
    const { tokens, audit, usage } = api;
    const reads = [
      () => tokens.countFilters(),
      () => audit.list(),
      () => usage.today([1]),
      () => usage.ofToken(1),
      () => usage.totals(),
    ];
    for (const read of reads) {
      const refusals = [];
      for (let nth = 1; nth <= MOST_STATEMENTS; nth += 1) {
        calls.arm({ outside: 'statement', way: 'answers something else', nth, lasting: false });
        const result = await read().catch((error) => error);
        // Which tokens are silent is left out if it cannot be read.
        if (calls.disarm()) refusals.push(result instanceof Error || Object(result).silent === null);
        else expect(result).not.toBeInstanceOf(Error);
      }
      expect(refusals).toContain(true);
      expect(refusals).not.toContain(false);
    }
  },
);
