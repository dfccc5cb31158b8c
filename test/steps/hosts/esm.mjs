import { createPanelApi } from 'koa-panel-api';
import { createApiSection } from 'koa-panel-api/section';
import { listen } from './listen.cjs';

listen({ createApiSection, createPanelApi });
