// @ts-check

/** The types of web_domain that have a website of their own. */
module.exports = ['vhost', 'vhostsubdomain', 'vhostalias'];
