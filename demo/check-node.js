// Written so that very old versions of Node can read it.
var wanted = [20, 19];
var found = process.versions.node.split('.').map(Number);

if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  console.error(
    'The demo needs Node ' + wanted.join('.') + ' or newer; this is Node ' + process.versions.node + '.',
  );
  process.exit(1);
}
