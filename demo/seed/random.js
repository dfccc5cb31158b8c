// Seeded (mulberry32), so that every new demo has the same rows.
module.exports = function createRandom(seed) {
  let state = seed;

  function fraction() {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  const integer = (min, max) => min + Math.floor(fraction() * (max - min + 1));
  const chance = (share) => fraction() < share;
  const pick = (list) => list[integer(0, list.length - 1)];
  const hex = (length) => Array.from({ length }, () => integer(0, 15).toString(16)).join('');

  function weighted(weights) {
    let left = fraction() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    return Object.keys(weights).find((key) => {
      left -= weights[key];
      return left < 0;
    });
  }

  function shuffle(list) {
    const rest = [...list];
    return list.map(() => rest.splice(integer(0, rest.length - 1), 1)[0]);
  }

  // All secrets contain the same mark, so that a search of the API's answers can show that none is exposed.
  const secret = () => `NEVERLEAVES${hex(12)}`;

  return { fraction, integer, chance, pick, hex, weighted, shuffle, secret };
};
