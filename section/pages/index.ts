import { accountsFound } from '../accounts';
import { MCP } from '../clientLines';
import type { PageRow } from '../Page';
import { assistantsPage } from './assistants';
import { auditPage } from './audit';
import { auditCsv, auditJson } from './auditDownloads';
import { editToken } from './editToken';
import { extendToken } from './extendToken';
import { findToken, findTokenPage } from './findToken';
import { createToken, duplicateToken, newTokenPage, sendTokenForm, tokenSummaryPage } from './newToken';
import { overviewPage } from './overview';
import { openapiDownload, referencePage } from './reference';
import { answerCopy, carryRestoreOut, restoredPage } from './restored';
import { revokePage, revokeTokens } from './revokeTokens';
import { rotateToken } from './rotateToken';
import { changeSettings, settingsPage } from './settings';
import { tokenPage, usageCsv } from './token';
import { tokensPage } from './tokens';

/**
 * All pages of the section. A new page needs a file beside this one and a row here. The first row that matches a path
 * handles it. The navigation has the same order.
 */
export const pages: readonly PageRow[] = [
  { path: '', entry: 'nav.overview', get: overviewPage },
  { path: 'tokens', entry: 'nav.tokens', get: tokensPage, post: createToken, createsToken: true },
  { path: 'tokens/new', get: newTokenPage },
  { path: 'tokens/review', get: tokenSummaryPage, post: sendTokenForm },
  { path: 'tokens/accounts.json', get: accountsFound },
  { path: 'tokens/find', get: findTokenPage, post: findToken },
  { path: 'tokens/revoke', get: revokePage, post: revokeTokens },
  { path: 'tokens/:id', get: tokenPage },
  { path: 'tokens/:id/usage.csv', get: usageCsv },
  { path: 'tokens/:id/edit', ...editToken },
  { path: 'tokens/:id/duplicate', get: duplicateToken },
  { path: 'tokens/:id/extend', ...extendToken },
  { path: 'tokens/:id/revoke', get: revokePage, post: revokeTokens },
  { path: 'tokens/:id/rotate', ...rotateToken, createsToken: true },
  { path: 'audit', entry: 'nav.audit', get: auditPage },
  { path: 'audit.csv', get: auditCsv },
  { path: 'audit.json', get: auditJson },
  { path: 'settings', entry: 'nav.settings', get: settingsPage, post: changeSettings },
  { path: 'restored', get: restoredPage, post: carryRestoreOut },
  { path: 'copy', get: async () => ({ goTo: '' }), post: answerCopy },
  { path: 'assistants', entry: 'nav.assistants', mounted: MCP, get: assistantsPage },
  { path: 'reference', entry: 'nav.reference', get: referencePage },
  { path: 'openapi.json', get: openapiDownload },
];
