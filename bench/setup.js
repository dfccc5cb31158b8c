const { findProgram } = require('../test/servers/findProgram');
const { startRedis } = require('../test/servers/startRedis');
const { ROOT } = require('./contestants');
const {
  addDatabase,
  DatabaseMeter,
  fillTables,
  fillTokens,
  startDatabase,
  withHandle,
} = require('./database');

const author = { actor: 'benchmark', origin: 'panel' };
const silent = { info() {}, warn() {}, error() {} };
const usableTokens = 64;
const tokensIn = (name) => (name === 'million' ? 1_000_000 : 1000);

/** A database with the module's tables, created by a build of it. Every database has the panel's tables too. */
class Seeded {
  constructor(url, build) {
    this.url = url;
    this.build = build;
    this.tokens = [];
  }

  async fill(tables, tokens, say) {
    await fillTables(this.url, tables, say);
    await this.#use(async (api, db) => {
      await api.settings.enable(author);
      while (this.tokens.length < usableTokens) this.tokens.push(await create(api, {}));
      await fillTokens(db, tokens - usableTokens);
    });
  }

  /** Creates a token with these properties; by default it has every scope. */
  async createToken(properties) {
    return this.#use((api) => create(api, properties));
  }

  /** The row of a token with this name. */
  async findToken(name) {
    return withHandle(this.url, (db) => db('panel_api_tokens').where({ name }).first());
  }

  async #use(task) {
    const { createPanelApi } = require(this.build);
    return withHandle(this.url, (db) => task(createPanelApi({ db, logger: silent }), db));
  }
}

async function create(api, properties) {
  const { token } = await api.tokens.create({ name: 'Benchmark', scopes: ['*'], ...properties }, author);
  return token;
}

/** Starts the database and, if a load asks for it and it is installed, Redis; fills what the loads need. */
async function setUp(loads, say) {
  const subjects = loads.flatMap((load) => load.subjects);
  const server = await startDatabase();
  const redis = subjects.some(({ store }) => store === 'redis') ? await startRedis() : null;
  const meter = await DatabaseMeter.open(server);
  const stop = async () => {
    meter.close();
    await Promise.all([server.stop(), redis?.stop()]);
  };
  try {
    const tables = [
      ...new Map(loads.flatMap((load) => load.tables).map((each) => [each.name, each])).values(),
    ];
    const databases = {};
    for (const { database: name, build } of [{ database: 'panel', build: ROOT }, ...subjects]) {
      if (databases[name]) continue;
      const url = name === 'panel' ? server.url : await addDatabase(server.url, name);
      databases[name] = new Seeded(url, build);
      await databases[name].fill(name === 'million' ? [] : tables, tokensIn(name), say);
    }
    return { server, meter, databases, redisUrl: redis?.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Whether a contestant can run on this machine. */
const isPossible = ({ store }) => store !== 'redis' || findProgram('redis-server') !== undefined;

module.exports = { isPossible, setUp };
