const { openHandle } = require('../../../database/openHandle');

/** The panel's handle, which returns times as texts: no other way to show them costs as little. */
function openPanelHandle() {
  return openHandle(`${process.env.DATABASE_URL}?dateStrings=true`);
}

module.exports = { openPanelHandle };
