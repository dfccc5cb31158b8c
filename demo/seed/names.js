const firstNames = [
  'Anna',
  'Aylin',
  'Björn',
  'Chloé',
  'Dario',
  'Elif',
  'Emma',
  'Farid',
  'Greta',
  'Hugo',
  'Ines',
  'Ivo',
  'Jürgen',
  'Kaja',
  'Lena',
  'Łukasz',
  'Mateo',
  'Mia',
  'Nadia',
  'Noah',
  'Olga',
  'Paul',
  'Quentin',
  'Rosa',
  'Søren',
  'Tariq',
  'Uta',
  'Vera',
  'Wanda',
  'Yuki',
  'Zoë',
];

const colours = [
  'amber',
  'azure',
  'coral',
  'crimson',
  'golden',
  'green',
  'indigo',
  'ivory',
  'ruby',
  'silver',
];
const trades = [
  'bakery',
  'books',
  'clinic',
  'cycles',
  'dental',
  'garden',
  'hotel',
  'legal',
  'music',
  'pottery',
  'school',
];
const international = [
  'bäckerei-grün.example',
  'café-étoile.example',
  'möbelhaus.example',
  'größenwahn.example',
  'smørrebrød.example',
  'señal.example',
  'łódka.example',
  'παράδειγμα.test',
  'пример.test',
  '例え.test',
];

function domainNames(random) {
  const plain = colours.flatMap((colour) => trades.map((trade) => `${colour}-${trade}.example`));
  return random.shuffle([...plain, ...international]);
}

module.exports = { firstNames, domainNames };
