const { openHandle } = require('../../../database/openHandle');

/** The panel's handle. It returns times as texts, because that is the cheapest way. */
function openPanelHandle() {
  return openHandle(`${process.env.DATABASE_URL}?dateStrings=true`);
}

module.exports = { openPanelHandle };
