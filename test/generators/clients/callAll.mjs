/**
 * Calls every operation through these functions, which take a query and return an answer, and prints the resources.
 * Lists are also called with `fields`: an item then has only its key.
 */
export async function callAll(functions) {
  for (const [name, call] of Object.entries(functions)) {
    const { data } = await call({});
    console.log(data.resource);
    if (!Array.isArray(data.items)) continue;
    const key = data.resource === 'settings' ? 'key' : 'id';
    const { items } = (await call({ fields: [key] })).data;
    const others = items.filter((item) => Object.keys(item).join() !== key);
    if (items.length === 0 || others.length > 0) throw new Error(`${name}: ${JSON.stringify(items)}`);
  }
}
