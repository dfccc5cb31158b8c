const { aims } = require('./aims');
const { measureOf } = require('./measureOf');
const { boundText, holds } = require('./bounds');

/** Compares the results of this run with the aims that it can answer. A failed load has no result. */
function judge(loads) {
  return aims.flatMap((aim) => {
    const load = loads.find(({ name }) => name === aim.load);
    if (!load) return [];
    const { load: name, connections, measure, bound } = aim;
    const common = { load: name, connections, measure, aim: boundText(bound) };
    if (load.failure) return [{ ...common, failure: load.failure }];
    const found = measureOf(aim, load.results);
    return found ? [{ ...common, ...found, reached: holds(bound, found.value) }] : [];
  });
}

module.exports = { judge };
