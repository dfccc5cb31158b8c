import { defineEventHandler } from 'h3';

export default defineEventHandler(() => globalThis.panel.own.page);
